/** Kinds of markers. Without schemas, so that pages with charts load none. */

/**
 * The kinds that explain most come first. `deployment` is a release that a pipeline reports. Each change is of one of the others: `outside` is any change that this console did not make,
 * `promotion` any run that wrote several records, `record` a save of any other record.
 */
export const markerKinds = [
  'deployment',
  'promotion',
  'scaling',
  'outside',
  'alert',
  'silence',
  'dashboard',
  'record',
] as const
export type MarkerKind = (typeof markerKinds)[number]

/** Markers that are shown at most. The rest is counted. */
export const maxMarkers = 200
