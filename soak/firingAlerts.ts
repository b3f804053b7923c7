/** Alerts that fire every other minute, and their receiver: each event must arrive, always with the same key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../src/stack/store/store.ts'
import { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { createWatchedTile } from './watchedTile.ts'

interface Parts {
  /** Where the API is. */
  api: string
  personalAccessKey: string
  /** The ClickHouse server. */
  clickhouseUrl: string
}

export interface FiringAlerts {
  /** The body of a further alert, which is evaluated once a day. */
  sleeping(name: string): object
  /** Stops firing. @returns what does not fit together, and what there was */
  end(records: Parameters<typeof openStore>[0]): Promise<{ faults: string[]; figures: string }>
}

const alerts = 10
const minute = 60_000
/** Milliseconds for what a killed stack had taken to be sent again. */
const longWait = 180_000

export async function startFiringAlerts({ api, personalAccessKey, clickhouseUrl }: Parts): Promise<FiringAlerts> {
  const receiver = await startReceiver()
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${api}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${personalAccessKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    // The endpoint's own shape, without a schema.
    return (await response.json()).data as any // oxlint-disable-line typescript/no-explicit-any
  }
  const onTile = await createWatchedTile(call, receiver.url, 'ServiceName:soak')
  const alert = (name: string, interval: string) => ({ ...onTile, interval, threshold: 1, name })
  const ids: string[] = []
  for (let number = 1; number <= alerts; number++) {
    const { id } = await call('POST', '/alerts', alert(`Soak ${number}`, '1m'))
    ids.push(id)
  }
  const stop = new AbortController()
  const firing = (async () => {
    const url = new URL(clickhouseUrl)
    const authorization = `Basic ${btoa(`${url.username}:${decodeURIComponent(url.password)}`)}`
    while (!stop.signal.aborted) {
      if (Math.floor(Date.now() / minute) % 2 === 0) {
        const query = "INSERT INTO otel_logs (Timestamp, ServiceName, Body) SELECT now64(9), 'soak', 'x'"
        const response = await fetch(`${url.origin}/?database=${url.pathname.slice(1)}`, {
          method: 'POST',
          headers: { authorization },
          body: query,
        })
        if (!response.ok) throw new Error(await response.text())
      }
      await sleep(5000)
    }
  })()

  return {
    sleeping: (name) => alert(name, '1d'),
    async end(records) {
      stop.abort()
      await firing
      const store = await openStore(records)
      try {
        const until = Date.now() + longWait
        while (Date.now() < until && (await store.rows('SELECT 1 FROM alert_outbox LIMIT 1')).length > 0)
          await sleep(500)
        const windows = await store.rows(
          'SELECT alert_id, ended, state FROM alert_evaluations ORDER BY alert_id, ended',
        )
        const deliveries = await store.rows('SELECT alert_id, idempotency_key, state FROM alert_deliveries')
        const faults: string[] = []
        let events = 0
        for (const id of ids) {
          const own = windows.filter((row) => row['alert_id'] === id)
          const gaps = own.filter(
            (row, at) => at > 0 && Number(row['ended']) - Number(own[at - 1]?.['ended']) !== minute,
          )
          if (gaps.length > 0) faults.push(`${gaps.length} windows of an alert were left out`)
          for (const state of ['ALERT', 'OK']) {
            const before = state === 'ALERT' ? 'OK' : 'ALERT'
            const changes = own.filter((row, at) => {
              const last = at === 0 ? 'OK' : own[at - 1]?.['state']
              return row['state'] === state && last === before
            }).length
            const sent = deliveries.filter((row) => row['alert_id'] === id && row['state'] === state).length
            events += changes
            if (sent !== changes) faults.push(`an alert became ${state} ${changes} times, with ${sent} notifications`)
          }
        }
        const keys = receiver.requests.map(({ headers }) => String(headers['idempotency-key']))
        const received = new Set(keys)
        for (const { idempotency_key: key } of deliveries) {
          if (!received.delete(String(key))) faults.push(`the receiver did not get ${String(key)}`)
        }
        for (const key of received) faults.push(`the receiver got ${key}, which is no event`)
        const again = keys.length - new Set(keys).size
        const figures = `${alerts} alerts, ${windows.length} windows, ${events} events, ${again} sent again with the same key`
        if (events === 0) faults.push('no alert changed its state')
        return { faults, figures }
      } finally {
        await store.close()
        await receiver.close()
      }
    },
  }
}
