/** The kinds of records that are compared, promoted, restored and kept as code. */

/** In the order of their dependencies: a record only refers to kinds before its own, or to its own. */
export const recordKinds = ['sources', 'webhooks', 'savedSearches', 'dashboards', 'alerts'] as const
export type RecordKind = (typeof recordKinds)[number]

/** Kinds that a record may refer to. Data connections belong to a deployment and are never copied. */
export type ReferenceKind = RecordKind | 'dataConnections'

/** One record, as a person calls it. */
export const kindNames: Record<ReferenceKind, string> = {
  sources: 'source',
  webhooks: 'webhook',
  savedSearches: 'saved search',
  dashboards: 'dashboard',
  alerts: 'alert',
  dataConnections: 'data connection',
}

/** Records of a kind, as a person calls them. */
export const kindPlurals: Record<ReferenceKind, string> = {
  sources: 'sources',
  webhooks: 'webhooks',
  savedSearches: 'saved searches',
  dashboards: 'dashboards',
  alerts: 'alerts',
  dataConnections: 'data connections',
}
