/** The fields of an alert that a deployment sets by itself. Some refuse these in a body, none needs them. */
export const readOnlyAlertFields: readonly string[] = [
  'id',
  'teamId',
  'state',
  'pendingWindows',
  'silenced',
  'silencedGroups',
  'acknowledged',
  'paused',
  'executionErrors',
  'createdAt',
  'updatedAt',
  'createdBy',
]
