import { asFailure } from './failure.ts'

/**
 * Waits for a delete. Where somebody else was quicker it is gone, too, which is what was asked for.
 * @throws ApiFailure for everything else
 */
export async function ignoreNotFound(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting
  } catch (error) {
    if (asFailure(error).code !== 'notFound') throw error
  }
}
