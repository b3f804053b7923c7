/** Values of the form as a person reads them, in a list of changes or a comparison: names instead of IDs. */
import { formatChannel, savedSearchName, tileName, type Names } from '#console/usages/alertNames.ts'
import { formatInterval, formatAlertSource, thresholdWord } from './alertLabels.ts'
import type { AlertField, AlertForm } from './formFields.ts'

/** An empty value is "none"; a value without a known name is shown unchanged. */
export function formatAlertField(field: AlertField, form: AlertForm, names: Names): string {
  const value = form[field]
  if (value === '' || value === null) return 'none'
  switch (field) {
    case 'source':
      return formatAlertSource(form.source)
    case 'dashboardId':
      return names.dashboards.get(form.dashboardId)?.name || form.dashboardId
    case 'tileId': {
      const board = names.dashboards.get(form.dashboardId)
      return board ? tileName(board, form.tileId) : form.tileId
    }
    case 'savedSearchId':
      return names.savedSearches ? savedSearchName(form.savedSearchId, names) : form.savedSearchId
    case 'thresholdType':
      return thresholdWord(form.thresholdType)
    case 'interval':
      return formatInterval(form.interval)
    case 'channels':
      return (
        form.channels
          .map((channel) => formatChannel(channel, names))
          .filter(Boolean)
          .join(', ') || 'none'
      )
    default:
      return String(value)
  }
}
