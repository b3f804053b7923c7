/** Requests the API of a stack repeatedly, in a separate process, so that nothing else delays it. */
import { readFileSync } from 'node:fs'

/** Address, key, and process ID of the stack. */
const [url = '', key = '', pid = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${key}` }
let away = 0
let busy = 0
let last = now()

process.on('message', () => {
  note()
  process.send?.({ away, busy })
  away = 0
  busy = 0
})
process.on('disconnect', () => process.exit(0))

for (;;) {
  last = now()
  await fetch(url, { headers })
    .then((answer) => answer.text())
    .catch(() => undefined)
  note()
  await new Promise((next) => setTimeout(next, 20))
  last = now()
}

/** The time since the last request, answered or not. */
function note(): void {
  const { time, processor } = now()
  away = Math.max(away, time - last.time)
  busy = Math.max(busy, processor - last.processor)
}

function now() {
  return { time: performance.now(), processor: processorTime() }
}

/** CPU milliseconds of the stack's main thread; 0 if the system does not report them. */
function processorTime(): number {
  try {
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
