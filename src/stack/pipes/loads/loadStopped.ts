/** Why a load could not be completed, and where its source is. */

export class LoadStopped extends Error {
  override name = 'LoadStopped'
  /** @param place of the first record or file that was not loaded, for people */
  constructor(
    readonly place: string,
    cause: Error,
  ) {
    super(cause.message, { cause })
  }
}

/** A pipe without progress says where it is after so many tries. */
const namedTries = 5

/** Counts tries of a pipe that end at the same place. @returns what to add to the reason of a failed try */
export function placeCounter(): (error: unknown) => string {
  let last = ''
  let tries = 0
  return (error) => {
    const place = error instanceof LoadStopped ? error.place : ''
    tries = place === last ? tries + 1 : 1
    last = place
    return place !== '' && tries >= namedTries ? `. No progress at ${place} in ${tries} tries` : ''
  }
}
