/** Which functions an expression may call: the engine sorts its own into categories. */
import type { Engine } from '../engine.ts'

/** Functions of the row's own values. What reads files, settings, dictionaries or other tables is in none of these. */
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
  'Geo',
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
/** `_CAST` is how the engine spells an array of constants. */
const furthermore = ['_CAST', 'transform', 'toTypeName', 'formatReadableSize', 'formatReadableQuantity']

const known = new WeakMap<Engine, Promise<(name: string) => boolean>>()

/** Tells whether a name, as `EXPLAIN AST` shows it, is a function that an expression may call. */
export function allowedFunctions(engine: Engine): Promise<(name: string) => boolean> {
  const found = known.get(engine)
  if (found) return found
  const loading = load(engine)
  known.set(engine, loading)
  loading.catch(() => known.delete(engine))
  return loading
}

async function load(engine: Engine): Promise<(name: string) => boolean> {
  const [functions, combinators] = await Promise.all([
    engine.query<{ name: string; anyCase: number }>(
      `SELECT name, case_insensitive AS anyCase FROM system.functions
       WHERE if(alias_to = '', name, alias_to) IN (SELECT name FROM system.functions WHERE categories IN {categories:Array(String)})
          OR name IN {furthermore:Array(String)}`,
      { params: { categories, furthermore } },
    ),
    engine.query<{ name: string }>('SELECT name FROM system.aggregate_function_combinators WHERE NOT is_internal'),
  ])
  const exact = new Set([...functions.map(({ name }) => name), 'lambda'])
  const anyCase = new Set(functions.filter((row) => row.anyCase).map((row) => row.name.toLowerCase()))
  const endings = combinators.map((row) => row.name)
  const isAllowed = (name: string) => exact.has(name) || anyCase.has(name.toLowerCase())
  /** `countIf` is `count` with a combinator, and there may be several. */
  const mayCall = (name: string): boolean =>
    isAllowed(name) || endings.some((end) => name.endsWith(end) && mayCall(name.slice(0, -end.length)))
  return mayCall
}
