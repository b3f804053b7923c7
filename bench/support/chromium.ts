/** The browser of the benches: Debian's, where it is installed; otherwise Playwright's own. */
import { existsSync } from 'node:fs'

export const launchOptions = {
  executablePath: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync),
  args: ['--no-sandbox'],
}
