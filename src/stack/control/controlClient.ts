/** Gives orders to the running stack of a data folder. */
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { FullBackup, Progress } from '../backups/fullBackup.ts'
import {
  engineBackupPath,
  engineBackupStep,
  indexesPath,
  indexReport,
  readControl,
  type Control,
  type IndexOrder,
  type IndexReport,
} from './protocol.ts'

export interface TakenBackup extends FullBackup {
  /** Lets the stack remove what was not taken away. Without it, the stack does that when this process ends. */
  release(): void
}

/** The stack refused an order, or could not carry it out. The message is one line for people. */
class OrderFailed extends Error {
  override name = 'OrderFailed'
}

/**
 * Asks the running stack for a backup of its engine.
 * @returns undefined if no stack runs on this data folder
 * @throws OrderFailed
 */
export async function orderEngineBackup(
  dataDir: string,
  onProgress: (progress: Progress) => void,
): Promise<TakenBackup | undefined> {
  const control = readControl(dataDir)
  if (!control) return undefined
  const order = orderTo(control, engineBackupPath)
  const response = await answerTo(order)
  // A killed stack leaves its file, and its port may belong to another program.
  if (!response || response.statusCode === 401 || response.statusCode === 404) {
    order.destroy()
    return undefined
  }
  if (response.statusCode !== 200) {
    order.destroy()
    throw new OrderFailed('The stack is writing another backup. Try again when it is done.')
  }
  const lines = createInterface({ input: response })
  // The connection ends with `release`.
  lines.on('error', () => undefined)
  for await (const line of lines) {
    const step = engineBackupStep.parse(JSON.parse(line))
    if ('progress' in step) onProgress(step.progress)
    else if ('done' in step) return { ...step.done, release: () => order.destroy() }
    else throw new OrderFailed(`${step.failed}.`)
  }
  throw new OrderFailed('The stack ended while it wrote the backup.')
}

/**
 * Shows, stops or continues what the running stack builds of indexes.
 * @returns undefined if no stack with an engine runs on this data folder
 * @throws OrderFailed
 */
export async function orderIndexes(dataDir: string, what: IndexOrder): Promise<IndexReport | undefined> {
  const control = readControl(dataDir)
  if (!control) return undefined
  const order = orderTo(control, indexesPath)
  order.write(JSON.stringify({ order: what }))
  const response = await answerTo(order)
  if (!response || response.statusCode === 401 || response.statusCode === 404) {
    order.destroy()
    return undefined
  }
  const answer = await text(response)
  if (response.statusCode !== 200) throw new OrderFailed('The stack could not read the state of its indexes.')
  return indexReport.parse(JSON.parse(answer))
}

function orderTo({ port, token }: Control, path: string): ClientRequest {
  return request({ host: '127.0.0.1', port, path, method: 'POST', headers: { authorization: `Bearer ${token}` } })
}

/** @returns undefined if nobody listens */
async function answerTo(order: ClientRequest): Promise<IncomingMessage | undefined> {
  order.end()
  try {
    const [response] = (await once(order, 'response')) as [IncomingMessage] // the event's argument
    // Ends together with this process or the stack; neither is an error of its own.
    response.on('error', () => undefined)
    order.on('error', () => undefined)
    return response
  } catch {
    return undefined
  }
}
