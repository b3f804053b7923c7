/** The process that started this one: under npm, its end is a request to stop. */

/** Milliseconds between two looks. */
const interval = 500

/**
 * Calls `onGone` once the parent process has ended, where npm or npx started this one. They run it in a shell, pass
 * SIGTERM and SIGINT to that shell alone, and leave its child running. Without npm nothing is watched: a console that a
 * shell started in the background runs on when the shell ends.
 */
export function watchParent(env: Record<string, string | undefined>, onGone: () => void): void {
  if (env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, interval)
  timer.unref()
}
