/** Formats a user agent. Only for distinguishing sessions, because it cannot be trusted. */

/** The first that fits counts: most browsers also claim to be those further down. */
const browsers: readonly (readonly [name: string, says: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*Safari\//],
]
const systems: readonly (readonly [name: string, says: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** "Firefox on Linux"; an unknown user agent is shown shortened. */
export function formatBrowser(agent: string): string {
  const find = (list: typeof browsers) => list.find(([, says]) => says.test(agent))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser) return system ? `${browser} on ${system}` : browser
  return agent === '' ? 'Unknown' : agent.slice(0, 60)
}
