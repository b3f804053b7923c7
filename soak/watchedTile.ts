/** A dashboard with one tile that counts rows of logs, and a webhook, for alerts on it. */

/** The fields that every alert on the tile has: all but its threshold, interval and name. */
interface TileAlert {
  source: 'tile'
  dashboardId: string
  tileId: string
  thresholdType: 'above'
  channel: { type: 'webhook'; webhookId: string }
}

/**
 * @param call a request to the open-source variant of the stack, which resolves to the data of its response
 * @param receiver origin to which the webhook sends
 * @param where the condition for the rows that count
 * @returns the fields that every alert on the tile has
 */
export async function createWatchedTile(
  // The result depends on the path.
  // oxlint-disable-next-line typescript/no-explicit-any
  call: (method: string, path: string, body?: unknown) => Promise<any>,
  receiver: string,
  where: string,
): Promise<TileAlert> {
  const sources: { id: string; kind: string }[] = await call('GET', '/sources')
  const sourceId = sources.find(({ kind }) => kind === 'log')?.id
  const webhook = await call('POST', '/webhooks', {
    name: `Soak ${where}`,
    service: 'generic',
    url: `${receiver}/alerts`,
  })
  const config = { displayType: 'line', sourceId, select: [{ aggFn: 'count', where }] }
  const dashboard = await call('POST', '/dashboards', {
    name: 'Soak',
    tiles: [{ name: 'Rows', x: 0, y: 0, w: 6, h: 3, config }],
  })
  return {
    source: 'tile',
    dashboardId: dashboard.id,
    tileId: dashboard.tiles[0].id,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook.id },
  }
}
