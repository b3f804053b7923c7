/**
 * For specs: how the time of some work grows with the length of a text. Only times of the same work are compared, and they
 * are those of the processor, which other processes lengthen less.
 */

/** Milliseconds of processor time that the fastest of some runs takes. */
function fastest(runs: number, work: () => unknown): number {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/**
 * Characters, about. The square of them are 67 million steps, which take tens of milliseconds: a time that grows with the
 * square can be compared long before.
 */
const longest = 8_192

/**
 * Whether the time for four times the text is much more than four times the time: sixteen times, if it grows with the square.
 * @param textOf makes a text of about this length
 */
export function growsFaster(work: (text: string) => unknown, textOf: (length: number) => string): boolean {
  let length = 128
  // Shorter times cannot be compared. On a busy machine the first one may be too long.
  const isShort = (text: string) => fastest(1, () => work(text)) < 1 || fastest(3, () => work(text)) < 1
  while (isShort(textOf(length))) {
    if (length >= longest) return false
    length *= 2
  }
  const [text, longer] = [textOf(length), textOf(4 * length)]
  const isFaster = () => {
    // In turns, because the machine is not always as busy.
    const turns = Array.from(
      { length: 5 },
      () => [fastest(1, () => work(text)), fastest(1, () => work(longer))] as const,
    )
    const [once, four] = [Math.min(...turns.map(([time]) => time)), Math.min(...turns.map(([, time]) => time))]
    return four / once > 8
  }
  // Memory may be freed at any time.
  return isFaster() && isFaster()
}
