/** A time that is stored must be corrected when the clock is set back, or it must be harmless that it lies ahead. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { timeColumns } from '#node/testing/timeColumns.ts'
import { openStore, type StoreTarget } from './store.ts'

const corrected = 'is corrected: '
const record = 'says when something happened, by the clock of that time; nothing waits for it'
const noTime = 'is no time'

/** The handling of each column if the clock is set back. */
const known: Record<string, string> = {
  'activities.created_at': record,
  'alert_cursors.done': `${corrected}by \`setBackCursors\``,
  'alert_deliveries.created_at': record,
  'alert_evaluations.ended': `${corrected}by \`setBackCursors\`, which deletes them`,
  'alert_evaluations.started': `${corrected}by \`setBackCursors\`, which deletes them`,
  'alert_outbox.claimed_until': `${corrected}by \`setBackOutbox\``,
  'alert_outbox.created_at': `${corrected}by \`setBackOutbox\``,
  'alert_outbox.due_at': `${corrected}by \`setBackOutbox\``,
  'alert_passes.due': 'a pass that lies ahead counts as none: `isLatePass`',
  'alert_passes.ended': 'a pass that lies ahead counts as none: `isLatePass`',
  'alerts.created_by': noTime,
  'api_key_uses.used_at': `${corrected}by the next use of the key`,
  'leases.expires': `${corrected}by \`takeLease\``,
  'pipe_load_ranges.used': noTime,
  'stacks.beat': noTime,
}

const dataDir = () => mkdtempSync(join(tmpdir(), 'time-columns-'))
const places: { where: string; kind: 'file' | 'server'; fresh(): Promise<StoreTarget> }[] = [
  { where: 'in a file', kind: 'file', fresh: async () => ({ file: join(dataDir(), 'stack.db') }) },
  {
    where: 'on a PostgreSQL server',
    kind: 'server',
    fresh: async () => ({ url: await newDatabase(), dataDir: dataDir() }),
  },
]

test.each(places)(
  'every column with a time $where is corrected, or named with the reason why it stays',
  async (place) => {
    const store = await openStore(await place.fresh())
    try {
      const columns = await timeColumns((sql) => store.rows(sql), place.kind)
      expect(columns).toEqual(Object.keys(known).toSorted())
    } finally {
      await store.close()
    }
  },
)
