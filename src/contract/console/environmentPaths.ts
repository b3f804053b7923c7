/** Paths of the gateway for the history, for comparisons, and for plans and runs. Apart from the others, because the frame needs none of them. */

/** The history of a connection's records: `history.ts`. */
export const historyPaths = {
  /** The last changes of all connections. */
  recentChanges: '/api/recent-changes',
  changes: '/api/connections/{connectionId}/history',
  historyTotals: '/api/connections/{connectionId}/history/totals',
  changeStrip: '/api/connections/{connectionId}/history/strip',
  deletedRecords: '/api/connections/{connectionId}/history/deleted',
  recordVersions: '/api/connections/{connectionId}/history/records/{kind}/{recordId}',
  goneRecord: '/api/connections/{connectionId}/history/records/{kind}/{recordId}/gone',
  recordVersion: '/api/connections/{connectionId}/history/versions/{version}',
  historySettings: '/api/connections/{connectionId}/history/settings',
  /** Reads all records now. */
  snapshot: '/api/connections/{connectionId}/history/snapshot',
} as const

/** Plans and runs: `runs.ts`. */
export const runPaths = {
  promotionPlan: '/api/promotions/plan',
  promotions: '/api/promotions',
  restorePlan: '/api/connections/{connectionId}/restores/plan',
  restores: '/api/connections/{connectionId}/restores',
  fileImportPlan: '/api/connections/{connectionId}/file-imports/plan',
  fileImports: '/api/connections/{connectionId}/file-imports',
  runs: '/api/runs',
  run: '/api/runs/{runId}',
  runStop: '/api/runs/{runId}/stop',
  runResume: '/api/runs/{runId}/resume',
  undoPlan: '/api/runs/{runId}/undo/plan',
  undo: '/api/runs/{runId}/undo',
} as const

/** The records of a connection as files: `recordFiles.ts`. */
export const recordFilePaths = {
  export: '/api/connections/{connectionId}/export',
} as const

/** All connections side by side: `environments.ts`. */
export const environmentPaths = {
  connectionStates: '/api/connection-states',
  /** All other connections beside this one. */
  comparisons: '/api/connections/{connectionId}/comparisons',
  comparison: '/api/connections/{connectionId}/comparison',
  comparedFields: '/api/connections/{connectionId}/comparison/fields',
  recordMatches: '/api/record-matches',
  recordSearch: '/api/record-search',
} as const
