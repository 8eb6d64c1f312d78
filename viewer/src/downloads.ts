// Files to take along: inside the page, or beside it.
import type { Buffers } from './buffers';
import { element, icon, save } from './dom';
import { formatBytes } from './format';
import type { DownloadsData } from './page_data';

export function renderDownloads(data: DownloadsData, buffers: Buffers): HTMLElement {
  const list = element('div', { class: 'downloads' });
  for (const file of data.files) {
    const size = file.buffer === undefined ? '' : formatBytes(file.size);
    const content = [icon('download'), element('bdi', {}, file.label), element('span', { class: 'muted' }, size)];
    if (file.buffer === undefined) {
      list.append(element('a', { class: 'download', href: encodeURIComponent(file.fileName), download: file.fileName }, ...content));
      continue;
    }
    const { buffer } = file;
    const act = async () => save(file.fileName, new Blob([(await buffers.bytes(buffer)) as BlobPart], { type: file.mediaType }));
    list.append(element('button', { type: 'button', class: 'download', click: () => void act() }, ...content));
  }
  return list;
}
