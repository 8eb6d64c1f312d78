// Plain text with a little markup, turned into elements: paragraphs, "- " lists, **strong**, *emphasis*, `code`, [links](https://...).
import { element } from './dom';

export type Span =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

const PATTERN = /\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|`([^`\n]+)`|\[([^\]\n]+)\]\(([^)\s]+)\)/g;

// A link leads to a web page, a place in this page, or a file beside it; never to a script.
export function isSafeLink(href: string): boolean {
  return /^https?:\/\//i.test(href) || /^#[\w-]*$/.test(href) || /^[\w-][\w.-]*$/.test(href);
}

export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(PATTERN)) {
    if (match[5] !== undefined && !isSafeLink(match[5])) continue;
    if (match.index > end) spans.push({ kind: 'text', text: line.slice(end, match.index) });
    end = match.index + match[0].length;
    if (match[1] !== undefined) spans.push({ kind: 'strong', text: match[1] });
    else if (match[2] !== undefined) spans.push({ kind: 'em', text: match[2] });
    else if (match[3] !== undefined) spans.push({ kind: 'code', text: match[3] });
    else spans.push({ kind: 'link', text: match[4], href: match[5] });
  }
  if (end < line.length) spans.push({ kind: 'text', text: line.slice(end) });
  return spans;
}

function inline(line: string): Node[] {
  return spansOf(line).map((span) => {
    if (span.kind === 'text') return document.createTextNode(span.text);
    if (span.kind === 'link') return element('a', { href: span.href, rel: 'noopener noreferrer' }, span.text);
    return element(span.kind, {}, span.text);
  });
}

export function renderMarkup(markup: string): HTMLElement {
  const root = element('div', { class: 'prose', dir: 'auto' });
  for (const paragraph of markup.split(/\n\s*\n/)) {
    const lines = paragraph.split('\n').filter((line) => line.trim());
    let list: HTMLElement | undefined;
    let text: HTMLElement | undefined;
    for (const line of lines) {
      if (line.startsWith('- ')) {
        list ??= root.appendChild(element('ul'));
        text = undefined;
        list.append(element('li', {}, ...inline(line.slice(2))));
      } else if (list && /^\s{2,}/.test(line)) {
        list.lastElementChild!.append(' ', ...inline(line.trim()));
      } else {
        list = undefined;
        if (text) text.append(' ');
        else text = root.appendChild(element('p'));
        text.append(...inline(line));
      }
    }
  }
  return root;
}
