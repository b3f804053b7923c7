/** The functions that an expression can call, by the categories of the engine. */
import type { Engine } from '../engine/engine.ts'
import { engineMemory, type EngineIdentity } from '../engine/engineMemory.ts'

/** Categories of functions on values. None of them reads files, settings, dictionaries or other tables. */
const categories = [
  'Aggregate Functions',
  'Arithmetic',
  'Arrays',
  'Bit',
  'Comparison',
  'Conditional',
  'Dates and Times',
  'Distance',
  'Encoding',
  'Hash',
  'IP Address',
  'JSON',
  'Logical',
  'Map',
  'Mathematical',
  'Null',
  'Rounding',
  'String',
  'String Replacement',
  'String Search',
  'String Splitting',
  'Tuple',
  'Type Conversion',
  'URL',
  'UUID',
]
/** `_CAST` is how the engine spells an array of constants. `indexHint` is always true: charts and searches tell it in their SQL. */
const furthermore = ['_CAST', 'indexHint', 'transform', 'toTypeName', 'formatReadableSize', 'formatReadableQuantity']

/** Functions that create arrays of any length, which the engine cannot interrupt. */
const boundless = ['arrayResize']
/** Functions that change the number of rows. */
const rowChanging = ['arrayJoin']

/** The properties of a function by its name, as `EXPLAIN AST` shows it. */
export interface FunctionRules {
  /** Whether an expression may call it. */
  mayCall(name: string): boolean
  changesRows(name: string): boolean
  isAggregate(name: string): boolean
  /** Whether it is deterministic. */
  isDeterministic(name: string): boolean
  /** Whether the engine has such a function, allowed or not. */
  exists(name: string): boolean
  /** Whether its first argument may be a function: a lambda, or the name of one. */
  takesFunction(name: string): boolean
}

type Asking = Pick<Engine, 'query'> & EngineIdentity

/** An engine gets other functions with another version of it, or when somebody defines one. */
const rules = engineMemory<FunctionRules>({ keepMs: 3_600_000 })

export function functionRules(engine: Asking): Promise<FunctionRules> {
  return rules(engine, '', () => load(engine))
}

interface FunctionRow {
  name: string
  canonical: string
  anyCase: number
  isAggregate: number
  isAllowed: number
  /** By one name in older engines, by the other in newer ones. */
  is_deterministic?: number | null
  deterministic?: number | null
  /** Older engines do not say it. */
  higher_order?: number | null
}

async function load(engine: Asking): Promise<FunctionRules> {
  const [functions, combinators] = await Promise.all([
    engine.query<FunctionRow>(
      `SELECT name, if(alias_to = '', name, alias_to) AS canonical, case_insensitive AS anyCase, is_aggregate AS isAggregate,
         (canonical IN (SELECT name FROM system.functions WHERE categories IN {categories:Array(String)})
           OR name IN {furthermore:Array(String)}) AS isAllowed, COLUMNS('^((is_)?deterministic|higher_order)$')
       FROM system.functions`,
      { params: { categories, furthermore } },
    ),
    engine.query<{ name: string }>('SELECT name FROM system.aggregate_function_combinators WHERE NOT is_internal'),
  ])
  const changing = functions.filter(({ canonical }) => rowChanging.includes(canonical))
  const varying = functions.filter((row) => isVarying(row))
  const isBoundless = ({ canonical }: FunctionRow) => boundless.includes(canonical)
  const namesOfVarying = new Set(varying.map(({ canonical }) => canonical))
  const is = {
    changing: namesOf(changing),
    allowed: namesOf(functions.filter((row) => row.isAllowed && !changing.includes(row) && !isBoundless(row))),
    aggregate: namesOf(functions.filter((row) => row.isAggregate)),
    varying: namesOf(functions.filter(({ canonical }) => namesOfVarying.has(canonical))),
    known: namesOf(functions),
    higherOrder: namesOf(functions.filter((row) => isHigherOrder(row))),
  }
  const endings = combinators.map((row) => row.name)
  /** `countIf` is `count` with a combinator, and there may be several. */
  const aggregateOf = (name: string): string | undefined => {
    if (is.aggregate(name)) return name
    for (const ending of endings) {
      const found = name.endsWith(ending) ? aggregateOf(name.slice(0, -ending.length)) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    mayCall: (name) => name === 'lambda' || is.allowed(aggregateOf(name) ?? name),
    changesRows: is.changing,
    isAggregate: (name) => aggregateOf(name) !== undefined,
    isDeterministic: (name) => !is.varying(name),
    exists: is.known,
    takesFunction: is.higherOrder,
  }
}

const isHigherOrder = ({ canonical, higher_order: said }: FunctionRow): boolean =>
  typeof said === 'number' ? said !== 0 : /^(array|map)[A-Z]/.test(canonical)

function isVarying(row: FunctionRow): boolean {
  return [row.deterministic, row.is_deterministic].includes(0)
}

/** Whether a name is one of these functions, some of which are case-insensitive. */
function namesOf(functions: readonly FunctionRow[]): (name: string) => boolean {
  const exact = new Set(functions.map(({ name }) => name))
  const anyCase = new Set(functions.filter((row) => row.anyCase).map((row) => row.name.toLowerCase()))
  return (name) => exact.has(name) || anyCase.has(name.toLowerCase())
}
