/**
 * The kinds of records that have a history, and that are compared, promoted, restored and kept as code. Apart from their
 * schemas, because the frame needs none of them.
 */

/** In the order of their dependencies: a record only refers to kinds before its own, or to its own. */
export const recordKinds = ['sources', 'webhooks', 'savedSearches', 'dashboards', 'alerts'] as const
export type RecordKind = (typeof recordKinds)[number]

/** Kinds that a record may refer to. Data connections belong to a deployment and are never copied. */
export type ReferenceKind = RecordKind | 'dataConnections'

const listedFirst: readonly RecordKind[] = ['dashboards', 'alerts', 'savedSearches']

/** In the order in which pages list them: those that people look for most come first. */
export const listedKinds: readonly RecordKind[] = [
  ...listedFirst,
  ...recordKinds.filter((kind) => !listedFirst.includes(kind)),
]

/** Resources whose records have a history, in the same order. */
export const historyResources: readonly string[] = [...listedKinds, 'services', 'pipes']
