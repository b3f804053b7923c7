/** Evaluations of an alert, written beside the running stack: real ones take minutes. */
import { join } from 'node:path'
import { writeEvaluations, type StoredEvaluation } from '../../src/stack/documents/alertEvaluations.ts'
import { openStore } from '../../src/stack/store/store.ts'
import { dataDir } from './environment.ts'
import { now } from './now.ts'

const length = 5 * 60_000

/** Windows of 5 minutes with these states, the last one ended most recently, or at `newest`. */
export async function plantEvaluations(
  alertId: string,
  states: readonly StoredEvaluation['state'][],
  newest = Math.floor(now() / length) * length - length,
): Promise<void> {
  const evaluations = states.map((state, at): StoredEvaluation => {
    const end = newest - (states.length - 1 - at) * length
    const value = state === 'ALERT' ? 20 : 1
    return { alertId, start: end - length, end, state, counts: state === 'ALERT' ? 1 : 0, value, noRows: false }
  })
  await storeEvaluations(evaluations)
}

/** Writes them beside the running stack. */
export async function storeEvaluations(evaluations: readonly StoredEvaluation[]): Promise<void> {
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  try {
    await store.write((transaction) => writeEvaluations(transaction, evaluations))
  } finally {
    await store.close()
  }
}
