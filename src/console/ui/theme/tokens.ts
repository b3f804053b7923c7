/** The colours of `tokens.css` as values, for what calculates with them. Stylesheets use the variables themselves. */
import sheet from './tokens.css?inline'

/** The value of a colour, by its name without the dashes: `accent-soft`. */
export type Tokens = (name: string) => string

const [lightBlock = '', darkBlock = ''] = sheet.split('[data-theme')

export const light = tokensOf(lightBlock)
export const dark = tokensOf(darkBlock)

function tokensOf(block: string): Tokens {
  const values = new Map(
    Array.from(block.matchAll(/(?<!-)--([a-z0-9-]+):\s*([^;}]+)/g), ([, name, value]) => [name, value]),
  )
  return (name) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`tokens.css has no --${name}`)
    return value
  }
}
