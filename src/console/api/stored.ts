/** Reports successful writes to the shell, which warns of fields that a deployment did not keep. */
import type { Endpoint } from '#contract/wire/kernel.ts'

/** A write that succeeded. */
export interface StoredWrite {
  connectionId: string
  endpoint: Endpoint
  /** The body that was sent, and the result that came back. */
  sent: unknown
  result: unknown
  /** Fields as they are called on the screen, by their paths. */
  titles: Readonly<Record<string, string>>
  /** The record as a person calls it, at the start of a sentence. Default: its kind and name. */
  record?: string | undefined
}

let listener: (write: StoredWrite) => void = () => {}

/** Called once by the shell. */
export function onStored(onWrite: (write: StoredWrite) => void): void {
  listener = onWrite
}

export function noteStored(write: StoredWrite): void {
  if (write.endpoint.stored) listener(write)
}
