import { asFailure } from './failure.ts'

/**
 * Waits for a delete. A record that was already deleted counts as deleted.
 * @throws ApiFailure for everything else
 */
export async function ignoreNotFound(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting
  } catch (error) {
    if (asFailure(error).code !== 'notFound') throw error
  }
}
