/**
 * For specs: how the time of some work grows with the length of a text. Only times of the same work are compared, and they
 * are those of the processor, which other processes do not lengthen.
 */

/** Milliseconds of processor time that this process has used. */
function used(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds of the fastest of some runs. */
function fastest(work: (text: string) => unknown, text: string, runs: number): number {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const begin = used()
    work(text)
    least = Math.min(least, used() - begin)
  }
  return least
}

/** Characters, about. A time that grows with the square can be compared long before. */
const longest = 65_536

/**
 * Whether the time for twice the text is much more than twice the time. It is tried again, because memory is freed at any time.
 * @param textOf makes a text of about this length
 */
export function growsFaster(work: (text: string) => unknown, textOf: (length: number) => string): boolean {
  let length = 128
  // Shorter times cannot be compared.
  while (fastest(work, textOf(length), 1) < 1) {
    if (length >= longest) return false
    length *= 2
  }
  for (let attempt = 0; attempt < 4; attempt++) {
    const [once = 0, twice = 0] = [length, 2 * length].map((one) => fastest(work, textOf(one), 5))
    if (twice / once < 3) return false
  }
  return true
}
