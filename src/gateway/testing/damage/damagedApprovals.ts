/** For specs: damaged rows of approvals and change requests. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { ApprovalStore } from '../../approvals/approvalStore.ts'
import { Notices } from '../../approvals/notices.ts'
import { RequestStore } from '../../changes/changeRequests/requestStore.ts'
import { OwnWrites } from '../../cluster/ownWrites.ts'
import type { Database } from '../../database/database.ts'
import { SealedJson } from '../../database/sealedJson.ts'
import { at, bytes, eachOf, none, type DamagedTable } from './damagedTable.ts'

export function damagedApprovals(database: Database) {
  const sealed = new SealedJson(Buffer.alloc(32, 7))
  const own = new OwnWrites(database)
  return {
    ...damagedSettings(new ApprovalStore(own, sealed)),
    ...damagedRequests(new RequestStore(own, sealed)),
    ...damagedNotices(database, sealed),
  }
}

function damagedSettings(approvals: ApprovalStore) {
  return {
    approval_settings: {
      plant: () =>
        eachOf((id) =>
          approvals.enterSettings(
            id,
            {
              twoPersonApproval: true,
              receiver: { url: 'https://r', allowPrivate: false },
              agentTools: ['silence_alert'],
            },
            none,
          ),
        ),
      damage: `notification = 'x' WHERE connection_id = 'damaged'`,
      read: () => eachOf((id) => approvals.settings(id)),
      expected: [
        { twoPersonApproval: true, receiver: { url: 'https://r', allowPrivate: false }, agentTools: ['silence_alert'] },
        { twoPersonApproval: true, receiver: null, agentTools: [] },
      ],
    },
    break_glass: {
      plant: () =>
        eachOf((connectionId) =>
          approvals.startBreakGlass({ connectionId, personId: null, actor: 'A', reason: '' }, none),
        ),
      damage: `actor = ${bytes} WHERE connection_id = 'damaged'`,
      onlyInFiles: true,
      read: async () => [...(await approvals.breakGlasses()).keys()],
      expected: ['sound'],
    },
  } satisfies Record<string, DamagedTable>
}

function damagedRequests(requests: RequestStore) {
  const request = (title: string) =>
    requests.create(
      {
        connectionId: 'c',
        title,
        reason: '',
        requesterId: 'p',
        requester: 'P',
        requesterBy: 'person p',
        need: 'write',
        expiresAt: new Date(currentTime() + 60_000).toISOString(),
        content: { kind: 'setting' },
      },
      none,
    )
  const keys: string[] = []
  return {
    change_request_events: {
      plant: async () => {
        keys.push((await request('sound')).id)
        await requests.events.add(keys[0]!, 'commented', { text: 'damaged' }) // just added
      },
      damage: `kind = 'x' WHERE body = 'damaged'`,
      read: async () => (await requests.events.of(keys[0]!)).map(({ kind }) => kind),
      expected: ['opened'],
    },
    change_request_outcomes: {
      plant: async () => {
        keys.push((await request('sound')).id)
        await eachOf((key) => requests.outcomes.set(keys[0]!, key, 'done'))
      },
      damage: `state = 'x' WHERE change_key = 'damaged'`,
      read: async () => new Map((await requests.outcomes.of(keys[0]!)).map(({ key, state }) => [key, state])),
      expected: new Map([
        ['sound', 'done'],
        ['damaged', 'unknown'],
      ]),
    },
    change_requests: {
      plant: () => eachOf(request),
      damage: `need = 'x' WHERE title = 'damaged'`,
      read: async () => {
        const found = await requests.list({ limit: 1 })
        await requests.expire(none)
        return found.map(({ title }) => title)
      },
      expected: ['sound'],
    },
  } satisfies Record<string, DamagedTable>
}

function damagedNotices(database: Database, sealed: SealedJson) {
  const failures: unknown[] = []
  return {
    approval_notices: {
      plant: async () => {
        await database.write({ sql: "INSERT INTO consoles (id, beat) VALUES ('one', 0)" })
        await eachOf((id) =>
          database.write({
            sql: `INSERT INTO approval_notices (id, connection_id, event, at, next_at, state, attempts, sealed)
              VALUES (?, 'c', ?, ?, ?, ?, 0, '')`,
            args: [id, id, at, at, id === 'damaged' ? 'waiting' : 'sent'],
          }),
        )
      },
      damage: `sealed = 'x' WHERE id = 'damaged'`,
      read: async () => {
        const presence = { isSure: true, ownWrites: new OwnWrites(database, 'one') }
        const onError = (error: unknown) => void failures.push(error)
        const notices = new Notices({ presence, sealed, egress: noEgress, retries: [], onError })
        const waiting = "SELECT 1 FROM approval_notices WHERE state = 'waiting'"
        for (let turn = 0; turn < 1_000 && (await database.rows(waiting)).length > 0; turn++) await nextTurn()
        const deliveries = await notices.deliveries('c')
        await notices.close()
        return [failures, new Map(deliveries.map(({ event, state }) => [event, state]))]
      },
      expected: [
        [],
        new Map([
          ['sound', 'sent'],
          ['damaged', 'failed'],
        ]),
      ],
    },
  } satisfies Record<string, DamagedTable>
}

/** Nothing is sent. */
const noEgress: Egress = {
  agent: () => {
    throw new Error('a notification was sent')
  },
  close: none,
}
