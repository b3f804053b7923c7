/** Which start of the machine this is. */
import { readFileSync } from 'node:fs'

/** Null on systems that do not say it. */
export const bootId: string | null = readBootId()

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}
