/** The worker that reads zips of records. It has no more than the zip. */
import { parentPort } from 'node:worker_threads'
import type { ApiError } from '#contract/wire/kernel.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { readRecordZip, type ZipStep } from './readRecordZip.ts'

/** Its messages: each step, and the result. */
export type ZipMessage = ZipStep | { kinds: RecordKind[] } | { refused: ApiError }

/** @param zip as base64 */
function* reading(zip: string): Generator<ZipMessage> {
  try {
    yield { kinds: yield* readRecordZip(Buffer.from(zip, 'base64')) }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    yield { refused: error.error }
  }
}

const port = parentPort
if (!port) throw new TypeError('recordZipWorker.ts runs in a worker')
port.on('message', (zip: string) => {
  for (const message of reading(zip)) port.postMessage(message)
})
port.postMessage('ready')
