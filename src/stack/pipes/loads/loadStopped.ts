/** Why a load could not be completed, and where its source is. */

export class LoadStopped extends Error {
  override name = 'LoadStopped'
  readonly place: string

  /** @param place of the first record or file that was not loaded, for people */
  constructor(place: string, cause: Error) {
    super(cause.message, { cause })
    this.place = place
  }
}

/** Tries without progress after which the state of a pipe names the place. */
const namedTries = 5
const maxPlaces = 1000

/** Follows the tries of a pipe that end at the same place. */
interface StopCounter {
  /**
   * Notes a failed try.
   * @param progress of the pipe, as a text
   * @returns what to add to the reason
   */
  note(error: unknown, progress: string): string
  /** Whether the last try ended at a record, and there has been no progress since. @param progress of the pipe now */
  isHeld(progress: () => Promise<string>): Promise<boolean>
}

export function stopCounter(): StopCounter {
  let last = ''
  /** Tries in a row without progress at any place: replicas may stop at different places in turn. */
  let tries = 0
  /** Tries by place. One place may be stuck while others make progress. */
  const triesAt = new Map<string, number>()
  let progressThen = ''
  return {
    note(error, progress) {
      const place = error instanceof LoadStopped ? error.place : ''
      if (place === '' || triesAt.size > maxPlaces) triesAt.clear()
      triesAt.set(place, (triesAt.get(place) ?? 0) + 1)
      tries = last !== '' && progress === progressThen ? tries + 1 : 1
      const count = Math.max(tries, triesAt.get(place) ?? 0)
      last = place
      progressThen = progress
      return place !== '' && count >= namedTries ? `. No progress at ${place} in ${count} tries` : ''
    },
    async isHeld(progress) {
      return last !== '' && (await progress()) === progressThen
    },
  }
}
