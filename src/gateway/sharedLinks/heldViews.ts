/** The views that links show now, in memory: one read for each link and interval, however many people look at it. */
interface Held {
  /** The interval that it is of. */
  interval: number
  text: Promise<string>
}

/** Links whose views are held, and characters of a view that is. */
const maxHeld = 100
const maxCharacters = 4_000_000

export class HeldViews {
  /** In the order in which they were read. */
  private readonly held = new Map<string, Held>()

  /** The view of an interval: `read` is called once for all who ask. What fails is read again by the next. */
  get(linkId: string, interval: number, read: () => Promise<string>): Promise<string> {
    const known = this.held.get(linkId)
    if (known?.interval === interval) return known.text
    const text = read()
    const one = { interval, text }
    this.held.delete(linkId)
    this.held.set(linkId, one)
    const [oldest] = this.held.keys()
    if (this.held.size > maxHeld && oldest !== undefined) this.held.delete(oldest)
    const forget = () => {
      if (this.held.get(linkId) === one) this.held.delete(linkId)
    }
    text.then((found) => {
      if (found.length > maxCharacters) forget()
    }, forget)
    return text
  }

  forget(linkId: string): void {
    this.held.delete(linkId)
  }
}
