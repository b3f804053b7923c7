/**
 * The bad records of a stream that was deleted and created again under the same name: their places are those of other
 * records now. They stay listed under a name of their own, so that no record of the new stream is taken for one of them.
 */
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Queries, Store } from '../../store/store.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { literal, qualified } from '../loads/sqlNames.ts'
import { changeRows, hasErrors, streamCondition, type ErrorsOf } from './streamErrors.ts'
import { withoutNote } from './unloadedRecords.ts'

const earlierCursor = 'earlierStream'
const reason = '. It was in a topic that was deleted'

/** Notes that the bad records up to now are those of a stream that is not there any more. */
export function noteEarlierStream(transaction: Queries, pipeId: string): Promise<void> {
  return cursorsOf(pipeId).set(transaction, earlierCursor, currentIsoTime())
}

/** Gives the bad records of an earlier stream its name, if there was one. Call this before the pipe reads. */
export async function keepEarlierRows(parts: ErrorsOf & { store: Store }): Promise<void> {
  const { store, engine, pipeId, topic, errorTable } = parts
  const cursors = cursorsOf(pipeId)
  const until = await cursors.get(store, earlierCursor)
  if (until === null) return
  if (await hasErrors(parts)) {
    const name = qualified(errorTable.database, errorTable.table)
    const before = { condition: 'at <= {until:String}', params: { until: until.replace('T', ' ').slice(0, -1) } }
    await engine.command(
      `INSERT INTO ${name} SELECT at, pipe_id, pipe_name, {earlier:String} AS topic, partition, offset,
         concat(${withoutNote}, ${literal(reason)}) AS reason, raw, raw_bytes
       FROM (SELECT * FROM ${name} FINAL WHERE ${streamCondition}) WHERE ${before.condition}`,
      { params: { ...before.params, pipeId, topic, earlier: `${topic} (deleted before ${until})` } },
    )
    await changeRows(parts, 'DELETE', before)
  }
  await store.write((transaction) => cursors.remove(transaction, earlierCursor))
}
