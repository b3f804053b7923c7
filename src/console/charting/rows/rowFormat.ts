/** How values of rows are shown. */

export function severityTone(severity: string): 'bad' | 'warn' | 'accent' | 'neutral' {
  if (/^(fatal|crit|emerg|alert|err|severe|status_code_err)/i.test(severity)) return 'bad'
  if (/^warn/i.test(severity)) return 'warn'
  return /^(info|notice)/i.test(severity) ? 'accent' : 'neutral'
}
