/**
 * Two or three people save the same record at random times, through a gateway and a stack. Every successful save
 * records its base and its result. If no change was lost, these saves form a chain from the first state of the record
 * to the last one.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseRevisionHeader } from '#contract/wire/gatewayWire.ts'
import type { GatewayWithStack, GatewayAnswer } from './gatewayWithStack.ts'
import type { Fields, Place, RecordKind } from './recordKinds.ts'

export interface Tally {
  saved: number
  /** Saves that were refused; the response had what is stored instead. */
  conflicts: number
  /** Saves that were taken and overwrote what their author had not seen. */
  lost: number
}

interface Options {
  rounds: number
  /** Whether a save names what it started from. Without that, changes get lost: the test sees whether it would notice. */
  guarded?: boolean
}

interface Seen {
  record: Fields
  revision: string
}

type Step = readonly [from: string, to: string]

/** Lets people save a record of this kind in `rounds` random orders. */
export async function saveConcurrently(gateway: GatewayWithStack, kind: RecordKind, options: Options): Promise<Tally> {
  const tally: Tally = { saved: 0, conflicts: 0, lost: 0 }
  const place = await kind.create(gateway.stack)
  for (let round = 0; round < options.rounds; round++) {
    const first = stateOf(kind, (await read(gateway, kind, place)).record)
    const steps: Step[] = []
    const people = Array.from({ length: 2 + randomInt(2) }, () =>
      onePerson(gateway, kind, place, options, steps, tally),
    )
    await Promise.all(people)
    const last = stateOf(kind, (await read(gateway, kind, place)).record)
    tally.saved += steps.length
    tally.lost += breaks(first, last, steps)
  }
  return tally
}

/** Reads, edits and saves one or two times, and after a conflict goes on from what is stored, or gives up. */
async function onePerson(
  gateway: GatewayWithStack,
  kind: RecordKind,
  place: Place,
  { guarded = true }: Options,
  steps: Step[],
  tally: Tally,
): Promise<void> {
  await pause()
  for (let saves = 1 + randomInt(2), seen = await read(gateway, kind, place); saves > 0; saves--) {
    await pause()
    const edit = kind.edits[randomInt(kind.edits.length)]
    const body = edit?.(seen.record)
    const connection = pickConnection(kind)
    const answer = await gateway.call(kind.method, `${connection}/${place.write}`, body, {
      ...(guarded && { [baseRevisionHeader]: seen.revision }),
    })
    if (answer.status === 200) {
      const made = (kind.answersLate ? body : answer.body['result']) as Fields // every kind answers the record
      steps.push([stateOf(kind, seen.record), stateOf(kind, made)])
      seen = kind.answersLate
        ? await read(gateway, kind, place)
        : { record: made, revision: String(answer.body['revision']) }
    } else {
      tally.conflicts++
      seen = conflictOf(answer)
      if (randomInt(2) === 0) return
      saves++
    }
  }
}

async function read(gateway: GatewayWithStack, kind: RecordKind, { read: path, id }: Place): Promise<Seen> {
  const { status, body } = await gateway.call('GET', `${pickConnection(kind)}/${path}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  if (id === undefined) return { record: body['result'] as Fields, revision: String(body['revision']) }
  const rows = body['result'] as Fields[] // the list that holds the record
  const index = rows.findIndex((row) => row['id'] === id)
  return { record: rows[index] ?? {}, revision: (body['revisions'] as string[])[index] ?? '' }
}

function conflictOf({ status, body }: GatewayAnswer): Seen {
  if (status !== 409 || !body['current']) throw new Error(JSON.stringify(body))
  const { result, revision } = body['current'] as { result: Fields; revision: string } // `apiError`
  return { record: result, revision }
}

const pickConnection = ({ connections }: RecordKind) => connections[randomInt(connections.length)] ?? ''
const stateOf = (kind: RecordKind, record: Fields) => JSON.stringify(kind.edited(record))
const pause = () => sleep(randomInt(6))

/**
 * Where the saves are not a chain from the first state to the last: if two saves started from the same state, one has
 * overwritten the other. A state can recur, so the numbers of saves from and to each state are compared.
 */
function breaks(first: string, last: string, steps: readonly Step[]): number {
  const balance = new Map<string, number>()
  const add = (state: string, by: number) => balance.set(state, (balance.get(state) ?? 0) + by)
  add(first, -1)
  add(last, 1)
  for (const [from, to] of steps) {
    add(from, 1)
    add(to, -1)
  }
  return [...balance.values()].reduce((sum, by) => sum + Math.max(0, by), 0)
}
