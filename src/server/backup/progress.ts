/** Progress messages of commands. */

export interface Say {
  (line: string): void
  /** @returns a reporter for work in many steps: it says the first step after a while, and then the newest from time to time */
  every(): (line: string) => void
}

/** Milliseconds between two reports. */
const reportEvery = 2_000

export function sayer(write: (line: string) => void): Say {
  const every = () => {
    let last = performance.now()
    return (line: string) => {
      if (performance.now() - last < reportEvery) return
      last = performance.now()
      write(line)
    }
  }
  return Object.assign((line: string) => write(line), { every })
}
