/** Alerts for tests. */
import { alert, type Alert } from '../stack/alerts.ts'

/** An alert on tile `t` of dashboard `d`, as a deployment returns it. */
export function alertOnTile(more: object = {}): Alert {
  return alert.parse({
    id: 'a',
    source: 'tile',
    dashboardId: 'd',
    tileId: 't',
    threshold: 1,
    thresholdType: 'above',
    interval: '5m',
    ...more,
  })
}
