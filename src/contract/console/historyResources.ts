/** Resources whose records have a history, in the order of the navigation. Apart from the schemas, because the frame needs none of them. */
export const historyResources: readonly string[] = [
  'dashboards',
  'alerts',
  'savedSearches',
  'sources',
  'webhooks',
  'services',
  'pipes',
]
