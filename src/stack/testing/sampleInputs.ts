/** Valid inputs for tests, which change one part of them. */
import type { TestStack } from './testStack.ts'

export function lineTile(sourceId: string | undefined, changes: object = {}) {
  const config = { displayType: 'line', sourceId, select: [{ aggFn: 'count', where: '' }] }
  return { name: 'Requests', x: 0, y: 0, w: 12, h: 4, config, ...changes }
}

/** A dashboard with one line tile, created over the open-source variant. */
export async function createDashboard(stack: TestStack, tiles: object[] = [lineTile(stack.sourceIds['log'])]) {
  const answer = await stack.openSource('POST', '/dashboards', { name: 'Shop', tiles })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json.data
}

export function savedSearchInput(stack: TestStack, changes: object = {}) {
  return { name: 'Failed payments', sourceId: stack.sourceIds['log'], where: 'SeverityText:error', ...changes }
}

/** An alert on a saved search. */
export function savedSearchAlert(stack: TestStack, savedSearchId: string, changes: object = {}) {
  return {
    source: 'saved_search',
    savedSearchId,
    interval: '5m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: stack.webhookId },
    ...changes,
  }
}

/** An alert on the first tile of a dashboard. */
export function tileAlert(stack: TestStack, dashboard: { id: string; tiles: { id: string }[] }, changes: object = {}) {
  return {
    source: 'tile',
    dashboardId: dashboard.id,
    tileId: dashboard.tiles[0]?.id,
    interval: '15m',
    threshold: 123,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: stack.webhookId },
    name: 'Errors',
    message: 'check it',
    ...changes,
  }
}
