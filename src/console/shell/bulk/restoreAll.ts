/** Taking a delete back where the API only knows how to make something new. */
import { asFailure, type ApiFailure } from '#console/api/failure.ts'
import { toastFailure } from '../messages/toastFailure.ts'
import { toast } from '../messages/toasts.tsx'

interface Words<T, Made> {
  /** "Alert Errors is back with the new id 66a1." */
  one: (deleted: T, made: Made) => string
  /** "3 alerts are back with new ids." */
  many: (count: number) => string
}

/** Makes them again one by one, and says what came of it: of one in full, of many in sum. */
export async function restoreAll<T, Made>(
  deleted: readonly T[],
  make: (one: T) => Promise<Made>,
  words: Words<T, Made>,
): Promise<void> {
  const made: [T, Made][] = []
  const failures: ApiFailure[] = []
  for (const one of deleted) {
    try {
      made.push([one, await make(one)])
    } catch (error) {
      failures.push(asFailure(error))
    }
  }
  const [only] = made
  if (only) toast({ tone: 'ok', text: made.length === 1 ? words.one(...only) : words.many(made.length) })
  const [first] = failures
  if (failures.length === 1) toastFailure(first)
  else if (first)
    toast({ tone: 'bad', text: `${failures.length} could not be made again. The first: ${first.message}` })
}
