// The head of a page as prehend/report/page_json.cpp writes it. Numbers live in buffers; see buffers.ts.

export interface BufferRef {
  buffer: number;
  rows: number;
}
export interface QuantisedRef extends BufferRef {
  offset: number;
  step: number;
}
export interface Fact {
  name: string;
  value: string;
  unit?: string;
  hint?: string;
}
export interface MapData {
  name: string;
  unit: string;
  logarithmic: boolean;
  lower?: number;
  upper?: number;
  labels?: string[];
  labelBuffer?: number; // index into labels, one per vertex
  buffer: number;
  rows: number;
}
// x, y, z, then the quaternion w, x, y, z.
export type PoseNumbers = [number, number, number, number, number, number, number];
export interface BodyData {
  name: string;
  hover?: string;
  colour: string;
  opacity: number;
  backdrop: boolean;
  pose: PoseNumbers;
  centre: [number, number, number];
  vertices: BufferRef & { step: number };
  triangles: BufferRef;
  maps: MapData[];
  properties: Fact[];
}
export interface FrameData {
  name: string;
  length: number;
  body?: number;
  pose: PoseNumbers;
}
export interface PointLayerData {
  name: string;
  colour: string;
  radius: number;
  visible: boolean;
  body?: number;
  points: BufferRef;
  hover?: string[];
  map?: MapData;
}
export interface ArrowLayerData {
  name: string;
  unit: string;
  colour: string;
  scale: number;
  endsAtPoint: boolean;
  visible: boolean;
  body?: number;
  arrows: BufferRef;
  hover?: string[];
}
export interface LineData {
  name: string;
  colour: string;
  width: number;
  closed: boolean;
  visible: boolean;
  body?: number;
  hover?: string;
  points: BufferRef;
}
export type Playback = 'once' | 'loop' | 'back-and-forth';
export interface MotionData {
  name: string;
  note?: string;
  playback: Playback;
  frames: number;
  times: { buffer: number; offset: number; step: number };
  blockFrames: number;
  bodies: number[];
  positionStep: number;
  rotationStep: number;
  poseBlocks: number[];
  spans?: [number, number, number][]; // body, first and last frame in which it is there
  arrows: { layer: number; blocks: [number, number][]; longest: number; constant?: boolean }[];
}
export interface SceneData {
  kind: 'scene';
  caption: string;
  size: number;
  origin: [number, number, number];
  lower: [number, number, number];
  upper: [number, number, number];
  viewDirection: [number, number, number];
  ground?: number;
  initialMap?: string;
  initialMotion?: number;
  bodies: BodyData[];
  frames: FrameData[];
  points: PointLayerData[];
  arrows: ArrowLayerData[];
  lines: LineData[];
  motions: MotionData[];
}
export interface SeriesData {
  name: string;
  style: 'line' | 'dashed' | 'points' | 'line-points';
  colour?: string;
  x?: QuantisedRef;
  y: BufferRef;
}
export interface PlotData {
  kind: 'plot';
  plot: 'time' | 'xy' | 'polar';
  title: string;
  xLabel: string;
  xUnit: string;
  yLabel: string;
  yUnit: string;
  logarithmicY: boolean;
  equalAxes: boolean;
  scene?: number;
  motion: number;
  x?: QuantisedRef;
  series: SeriesData[];
}
export interface TimelineBar {
  label: string;
  from: number;
  to: number;
  colour: string;
  hollow?: boolean;
}
export interface TimelineData {
  kind: 'timeline';
  caption: string;
  scene?: number;
  motion: number;
  rows: { name: string; bars: TimelineBar[] }[];
  marks: { label: string; time: number }[];
}
export type Cell = number | string | null | { special: 'nan' | 'inf' | '-inf' };
export interface ColumnData {
  name: string;
  unit?: string;
  digits: number;
  hint?: string;
}
export interface TableData {
  kind: 'table';
  caption?: string;
  columns: ColumnData[];
  rows: Cell[][];
  scene?: number;
  links?: { body?: number; motion?: number }[];
}
export interface TextData {
  kind: 'text';
  markup: string;
}
export interface FactsData {
  kind: 'facts';
  caption?: string;
  facts: Fact[];
}
export interface DownloadData {
  label: string;
  fileName: string;
  mediaType: string;
  size: number;
  buffer?: number;
}
export interface DownloadsData {
  kind: 'downloads';
  files: DownloadData[];
}
export interface PicturesData {
  kind: 'pictures';
  pictures: { caption: string; buffer: number }[];
}
export type BlockData = { width: 'full' | 'half' } & (
  | TextData
  | FactsData
  | SceneData
  | PlotData
  | TimelineData
  | TableData
  | DownloadsData
  | PicturesData
);
export interface PageData {
  format: number;
  title: string;
  subtitle: string;
  verdict: 'none' | 'good' | 'bad' | 'note';
  verdictSentence: string;
  footer: string;
  dataUrl?: string;
  sections: { heading: string; blocks: BlockData[] }[];
  // offset, packed size, unpacked size [byte]
  buffers: [number, number, number][];
}
