/** Features that wait for a time in a product whose clock is set: alerts, a silence, notifications, schedules, sessions and links. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@libsql/client/sqlite3'
import { correctedTimes } from '../src/gateway/database/futureTimes.ts'
import { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { Incidents } from './incidents.ts'
import { productCalls, type Answer } from './processes/productCalls.ts'
import { scheduleFaults, setSchedule } from './scalingSchedule.ts'
import { clockWaits, type ClockWaits } from './clockWaits.ts'
import type { SteppedProduct } from './steppedProduct.ts'
import { createWatchedTile } from './watchedTile.ts'

export interface ClockScene {
  /** Further features that wait for a time. */
  waits: ClockWaits
  /** Whether the newest window of all alerts that ended is evaluated. */
  isCurrent(): Promise<boolean>
  /** Failures, and events that should not have been sent. */
  check(): Promise<string[]>
  /**
   * Ends the incident of the last call and begins another one: the end of the one and the beginning of the other have to be
   * sent. @returns the notifications that did not come
   */
  nextIncident(): Promise<string[]>
  /** Windows between two times, epoch milliseconds, that were evaluated although the clock changed in them. */
  notEvaluated(from: number, to: number): Promise<string[]>
  /** After more than 12 hours: what is left of waits that should have ended. */
  longWaitsAreOver(): Promise<string[]>
  figures(): Promise<string>
  /** Times in the databases of the stopped product that a clock which was ahead has left. */
  timesAhead(): Promise<string[]>
  close(): Promise<void>
}

interface Evaluation {
  createdAt: string
  state: string
  errors?: { type: string }[]
}

const minute = 60_000
/** Milliseconds of the silence: longer than the shorter steps, and shorter than the long one. */
const silence = 8 * 60 * minute
/** Exporters and the settling of a pass. */
const passTime = 20_000

export async function clockScene(product: SteppedProduct): Promise<ClockScene> {
  const { credentials, ports, password } = product
  const receiver = await startReceiver()
  const iso = (at: number) => new Date(at).toISOString()
  const calls = productCalls(product)
  const { call, done, stack, managed, ofConsole, enter, invite } = calls

  // People: an administrator, one who took the invitation, and one who takes it at the end.
  const administrator = await enter({ password })
  const ada = await enter({ invitation: await invite(administrator, 'Ada', 'editor'), password })
  const alan = await enter({ invitation: await invite(administrator, 'Alan', 'editor'), password })
  const lateInvitation = await invite(administrator, 'Grace', 'editor')
  const newToken = { name: 'soak', role: 'editor', connections: null, days: 7 }
  const { json: token } = await done(ofConsole('POST', '/api/account/tokens', { cookie: ada }, newToken))

  // Alerts: one fires all the time, one never, and one fires silenced.
  const onTile = await createWatchedTile(stack, receiver.url, 'ServiceName:soak')
  const alertNamed = async (name: string, threshold: number): Promise<string> =>
    (await stack('POST', '/alerts', { ...onTile, interval: '1m', threshold, name })).id
  const alerts = {
    firing: await alertNamed('Always firing', 1),
    quiet: await alertNamed('Never firing', 1_000_000),
    silenced: await alertNamed('Firing silenced', 1),
  }
  const silencedUntil = product.wall() + silence
  await stack('POST', `/alerts/${alerts.silenced}/silenced`, { mutedUntil: iso(silencedUntil) })
  const { serviceId } = credentials
  await managed('PATCH', `/services/${serviceId}/backupConfiguration`, { backupPeriodInHours: 6 })
  const backups = async (): Promise<{ status: string }[]> => managed('GET', `/services/${serviceId}/backups`)
  const backupsBefore = (await backups()).length
  await setSchedule(managed, serviceId)

  const incidents = new Incidents(stack, receiver)
  /** Rows at the time of the product, as everything on its machine has it. */
  const sending = setInterval(() => {
    const record = { timeUnixNano: `${product.wall()}000000`, body: { stringValue: 'x' } }
    const resourceLogs = ['soak', incidents.service].map((stringValue) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue } }] },
      scopeLogs: [{ logRecords: [record] }],
    }))
    call(
      `http://127.0.0.1:${ports.otlpHttp}/v1/logs`,
      'POST',
      { authorization: credentials.ingestionKey },
      { resourceLogs },
    ).catch(() => undefined)
  }, 5000)

  const evaluations = async (id: string): Promise<Evaluation[]> => stack('GET', `/alerts/${id}/evaluations?limit=200`)
  const isMarked = ({ errors = [] }: Evaluation) => errors.some(({ type }) => type === 'CLOCK_CHANGED')
  const sent = () => receiver.requests.map(({ body }) => body)
  const sentOf = (name: string) => sent().filter((body) => body.includes(name))
  while (sentOf('Always firing').length === 0) await sleep(1000)
  let writes = 0
  /** A silence that has ended stays ended when the clock is set back. */
  let isSilenceOver = false

  async function access(): Promise<string[]> {
    const answers: [string, Promise<Answer>][] = [
      ['the session of the administrator', ofConsole('GET', '/api/people', { cookie: administrator })],
      ['the session of a person', ofConsole('GET', '/api/account', { cookie: ada })],
      [
        'a personal token',
        ofConsole('GET', '/api/c/local-open-source/stack/alerts', { authorization: `Bearer ${token.secret}` }),
      ],
      [
        'a write through the console',
        ofConsole(
          'POST',
          '/api/c/local-open-source/stack/dashboards',
          { cookie: ada },
          { name: `Write ${++writes}`, tiles: [] },
        ),
      ],
    ]
    const found = await Promise.all(
      answers.map(async ([what, answer]) => {
        const { status, json } = await answer
        return status < 300 ? [] : [`${what} was refused: ${status} ${JSON.stringify(json)}`]
      }),
    )
    return found.flat()
  }

  const waits = await clockWaits(product, calls, { administrator, editor: alan })

  return {
    waits,
    nextIncident: () => incidents.next(),
    async isCurrent() {
      const newest = await Promise.all(Object.values(alerts).map(async (id) => (await evaluations(id))[0]))
      return newest.every((evaluation) => {
        const age = evaluation ? product.wall() - Date.parse(evaluation.createdAt) : Infinity
        return age >= 0 && age < minute + passTime && evaluation !== undefined && !isMarked(evaluation)
      })
    },
    async check() {
      const faults = [...(await access()), ...(await scheduleFaults(managed, serviceId, product.wall))]
      isSilenceOver ||= product.wall() > silencedUntil
      const states = { firing: 'ALERT', quiet: 'OK', silenced: 'ALERT' }
      for (const [name, id] of Object.entries(alerts)) {
        const { state } = await stack('GET', `/alerts/${id}`)
        const right = states[name as keyof typeof states] // the same keys
        if (state !== right) faults.push(`the alert "${name}" is ${state}`)
      }
      const expected = {
        'Always firing': 1,
        'Never firing': 0,
        'Firing silenced': isSilenceOver ? 1 : 0,
      }
      for (const [name, most] of Object.entries(expected)) {
        const found = sentOf(name)
        if (found.length > most) faults.push(`sent falsely: ${found.slice(most).join(', ')}`)
      }
      return faults
    },
    async notEvaluated(from, to) {
      const within = (await evaluations(alerts.firing)).filter(({ createdAt }) => {
        const end = Date.parse(createdAt)
        return end - minute >= from && end <= to
      })
      const evaluated = within.filter((evaluation) => !isMarked(evaluation))
      return evaluated.length > 0 ? [`${evaluated.length} of ${within.length} windows in between were evaluated`] : []
    },
    async longWaitsAreOver() {
      const faults: string[] = []
      // It is sent a moment after the evaluation.
      for (let tries = 0; tries < 30 && sentOf('Firing silenced').length === 0; tries++) await sleep(1000)
      if (sentOf('Firing silenced').length !== 1) faults.push('the end of the silence was not noticed')
      const { length } = (await backups()).filter(({ status }) => status !== 'error')
      if (length <= backupsBefore) faults.push('no backup was made')
      return faults
    },
    async figures() {
      const all = await evaluations(alerts.firing)
      return `${all.length} windows, ${all.filter(isMarked).length} marked, ${sent().length} notifications, ${(await backups()).length} backups`
    },
    async timesAhead() {
      const database = createClient({ url: `file:${join(product.dataDir, 'console.db')}` })
      const limit = Date.now() + 5000
      const found: string[] = []
      try {
        for (const { table, column, type, ahead, where } of correctedTimes) {
          const at = type === 'number' ? limit + ahead : iso(limit + ahead)
          const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} > ? AND ${where ?? '1 = 1'}`
          const { rows } = await database.execute({ sql, args: [at] })
          if (Number(rows[0]?.['n']) > 0) found.push(`${String(rows[0]?.['n'])} times in ${table}.${column}`)
        }
      } finally {
        database.close()
      }
      return found
    },
    async close() {
      clearInterval(sending)
      const { status } = await ofConsole('POST', '/api/session', {}, { invitation: lateInvitation, password })
      if (status >= 300) throw new Error(`the invitation no longer works: ${status}`)
      await receiver.close()
      await waits.close()
    },
  }
}
