/** The short form of `npm run soak damagedData`. The ways of databases are also in the specs of `openDatabase` and `openStore`. */
import { expect, test } from 'vitest'
import { ways } from '../testing/damage.ts'
import { damageData } from '../testing/damagedData.ts'

const chosen = [
  'stack.db missing',
  'part cut',
  'definition of a table emptied',
  'log of console.db cut',
  'audit overwritten',
]

test(
  'a start on damaged data says what is missing and what to do, or serves all records',
  { timeout: 480_000 },
  async () => {
    const some = ways.filter(({ name }) => chosen.includes(name))
    expect(some).toHaveLength(chosen.length)
    expect(await damageData(some)).toEqual([])
  },
)
