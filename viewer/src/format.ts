// Numbers as people read them.

const SUPERSCRIPTS: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };

// `digits` significant digits; a true minus sign; powers of ten outside 1e-4 .. 1e6. Trailing zeros go unless `keepZeros`.
export function formatNumber(value: number, digits = 4, keepZeros = false): string {
  if (Number.isNaN(value)) return 'n/a';
  if (!Number.isFinite(value)) return value > 0 ? 'unbounded' : 'unbounded below';
  if (value === 0) return '0';
  const places = Math.min(Math.max(Math.round(digits), 1), 17);
  const rounded = Number(value.toPrecision(places));
  const magnitude = Math.abs(rounded);
  let text: string;
  if (magnitude >= 1e6 || magnitude < 1e-4) {
    const [mantissa, exponent] = rounded.toExponential(places - 1).split('e');
    const power = [...String(Number(exponent))].map((sign) => SUPERSCRIPTS[sign]).join('');
    text = `${keepZeros ? mantissa : trimZeros(mantissa)}·10${power}`;
  } else {
    const decimals = Math.max(0, places - 1 - Math.floor(Math.log10(magnitude)));
    text = rounded.toFixed(Math.min(decimals, 20));
    if (!keepZeros) text = trimZeros(text);
  }
  return text.replace('-', '−');
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function withUnit(text: string, unit?: string): string {
  return unit && !text.startsWith('n/a') && !text.startsWith('unbounded') ? `${text} ${unit}` : text;
}

// Seconds with as many decimals as one frame needs.
export function formatTime(seconds: number, frameLength: number): string {
  const decimals = frameLength > 0 ? Math.min(6, Math.max(1, Math.ceil(-Math.log10(frameLength)))) : 2;
  return `${seconds.toFixed(decimals).replace('-', '−')} s`;
}

export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const power = Math.min(3, Math.floor(Math.log10(size) / 3));
  return `${formatNumber(size / 1000 ** power, 3)} ${['B', 'kB', 'MB', 'GB'][power]}`;
}

// Round numbers that divide [low, high] into about `count` steps.
export function niceTicks(low: number, high: number, count: number): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw * 0.999)!;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
