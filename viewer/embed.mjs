// Turns the bundle into one C++ file of string literals, which compiles in a fraction of a second and needs no
// file at run time:  node embed.mjs BUNDLE_FOLDER OUTPUT.cpp
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = 'dist', output = 'dist/viewer_bundle.cpp'] = process.argv.slice(2);

// Nothing inside a <script> or <style> element may end it or start a comment.
const script = readFileSync(join(folder, 'viewer.js'), 'utf8')
  .replaceAll('\r\n', '\n')
  .replace(/<\/(?=script)/gi, '<\\/')
  .replaceAll('<!--', '\\x3c!--');
const style = readFileSync(join(folder, 'viewer.css'), 'utf8').replaceAll('\r\n', '\n');
if (/<\/script|<!--/i.test(script)) throw new Error('the script cannot stand inside an HTML page');
if (/<\/style/i.test(style)) throw new Error('the style sheet cannot stand inside an HTML page');
if (/https?:\/\/(?!www\.w3\.org\/)[a-z0-9.-]+\/[^"'`]*\.(?:js|css|woff2?)/i.test(style)) throw new Error('the style sheet asks for the network');

function literals(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  for (let start = 0; start < bytes.length; start += 4096) {
    let line = '';
    for (const byte of bytes.subarray(start, start + 4096)) {
      if (byte === 0x0a) line += '\\n';
      else if (byte === 0x22 || byte === 0x5c) line += '\\' + String.fromCharCode(byte);
      // "??" could start a trigraph; octal escapes of three digits never swallow what follows.
      else if (byte < 0x20 || byte > 0x7e || byte === 0x3f) line += '\\' + byte.toString(8).padStart(3, '0');
      else line += String.fromCharCode(byte);
    }
    lines.push(`    "${line}"`);
  }
  return [lines.join('\n') || '    ""', bytes.length];
}

const hash = createHash('sha256').update(script, 'utf8').digest('base64');
const [scriptText, scriptSize] = literals(script);
const [styleText, styleSize] = literals(style);
writeFileSync(
  output,
  `// Made from viewer/ by embed.mjs; not to be edited.
#include <prehend/report/html/viewer_bundle.h>

namespace prehend::report {
namespace {
const char kScript[] =
${scriptText};
const char kStyle[] =
${styleText};
}  // namespace
std::string_view viewer_script() { return {kScript, ${scriptSize}}; }
std::string_view viewer_style() { return {kStyle, ${styleSize}}; }
std::string_view viewer_script_hash() { return "sha256-${hash}"; }
}  // namespace prehend::report
`,
);
console.log(`viewer: script ${(scriptSize / 1024).toFixed(0)} KiB, style ${(styleSize / 1024).toFixed(0)} KiB`);
