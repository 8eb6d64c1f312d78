// Drawings side by side. As images, SVG cannot run or load anything, whatever its text says.
import type { Buffers } from './buffers';
import { element } from './dom';
import type { PicturesData } from './page_data';

export async function renderPictures(data: PicturesData, buffers: Buffers): Promise<HTMLElement> {
  const strip = element('div', { class: 'pictures' });
  for (const { caption, buffer } of data.pictures) {
    const source = URL.createObjectURL(new Blob([(await buffers.bytes(buffer)) as BlobPart], { type: 'image/svg+xml' }));
    const figure = element('figure', {}, element('img', { src: source, alt: caption }));
    if (caption) figure.append(element('figcaption', { dir: 'auto' }, caption));
    strip.append(figure);
  }
  return strip;
}
