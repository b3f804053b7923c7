/** Alerts as a resource: endpoints, pages, names, and what deleting one does. */
import { useCallback, useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { alertName, useNames, type Names } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { defineResource } from '#console/records/record/resource.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { sameWritable, writable } from './writableAlert.ts'

export const alertResource = defineResource({
  api: alerts,
  idParams: ['alertId'],
  paths: { list: paths.alerts, new: paths.newAlert, detail: paths.alert, edit: paths.editAlert },
  nameOf: ({ name, id }) => name || id,
  unchanged: sameWritable,
  deletion: {
    asksOnProductionOnly: true,
    effect: 'Evaluation stops at once.',
    notRestored: () => 'History is not restored.',
    body: writable,
  },
})

/** Reads of an alert's pages. */
export const alertReads = recordReads(alertResource, dashboards.list)

/** The names that alerts, or a single one, refer to, and the name of an alert made of them. */
export function useAlertNames(alert?: Alert): { names: Names; nameOf: (alert: Alert) => string } {
  const names = useNames(useConnection(), alert?.source !== 'tile')
  const nameOf = useCallback((alert: Alert) => alertName(alert, names), [names])
  return useMemo(() => ({ names, nameOf }), [names, nameOf])
}
