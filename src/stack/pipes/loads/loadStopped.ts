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
