/** Asks the API of a stack again and again, in a process of its own: nothing else can make it late. */
import { readFileSync } from 'node:fs'

/** Address that is asked, key, and process id of the stack. */
const [url = '', key = '', pid = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${key}` }
let away = 0
let busy = 0
let asked = now()

process.on('message', () => {
  note()
  process.send?.({ away, busy })
  away = 0
  busy = 0
})
process.on('disconnect', () => process.exit(0))

for (;;) {
  asked = now()
  await fetch(url, { headers })
    .then((answer) => answer.text())
    .catch(() => undefined)
  note()
  await new Promise((next) => setTimeout(next, 20))
  asked = now()
}

/** The time since the last question, answered or not. */
function note(): void {
  const { time, processor } = now()
  away = Math.max(away, time - asked.time)
  busy = Math.max(busy, processor - asked.processor)
}

function now() {
  return { time: performance.now(), processor: processorTime() }
}

/** Milliseconds of a processor that the stack's main thread has had; 0 where that is not told. */
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
