/** A real nginx as a balancer, with the rules of `deploy/nginx.conf`: no write goes to a second server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port and the ports on this machine behind it. */
export interface Balanced {
  name: string
  port: number
  targets: readonly number[]
}

export interface Nginx {
  /** When requests to a balanced port arrived, in milliseconds since 1970. */
  arrivals(name: string): number[]
  stop(): Promise<void>
}

/** @returns the program, or null where nginx is not installed */
export function nginxProgram(): string | null {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file)) ?? null
}

export async function startNginx(program: string, folder: string, balanced: readonly Balanced[]): Promise<Nginx> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, balanced))
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  for (const { port } of balanced) await listens(port)
  return {
    arrivals(name) {
      const lines = readFileSync(join(folder, `${name}.log`), 'utf8').split('\n')
      // The end of a request and how long it took, in seconds.
      return lines.flatMap((line) => {
        const [ended, took] = line.split(' ').map(Number)
        return ended === undefined || took === undefined ? [] : [Math.round((ended - took) * 1000)]
      })
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function configuration(folder: string, balanced: readonly Balanced[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  log_format arrival '$msec $request_time';
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${balanced
    .map(
      ({ name, port, targets }) => `
  upstream ${name} {
    ${targets.map((target) => `server 127.0.0.1:${target} max_fails=1 fail_timeout=5s;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    access_log ${folder}/${name}.log arrival;
    client_max_body_size 64m;
    proxy_http_version 1.1;
    proxy_read_timeout 120s;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    location / {
      error_page 418 = @write;
      if ($request_method !~ ^(GET|HEAD)$) { return 418; }
      proxy_pass http://${name};
      proxy_next_upstream error timeout http_503;
    }
    location @write {
      proxy_pass http://${name};
      proxy_next_upstream off;
    }
  }`,
    )
    .join('\n')}
}
`
}

/** Without a request: nginx would find the servers behind it missing, and send them none for five seconds. */
async function listens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(100)
    } finally {
      socket.destroy()
    }
  }
  throw new Error(`nginx does not listen on port ${port}`)
}
