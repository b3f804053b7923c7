/** Addresses and their scope, for the specs of every part that decides by `addressScope`. */
import type { AddressScope } from '../net/addresses.ts'

const byScope: Record<AddressScope, string> = {
  public: `
    8.8.8.8 93.184.216.34 1.1.1.1 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255 223.255.255.255
    2606:4700::1111 2001:4860:4860::8888 2a00:1450::1 3ffe::1 ::ffff:8.8.8.8 ::ffff:808:808`,
  private: `
    127.0.0.1 127.255.255.254 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 100.127.255.255
    ::1 fc00::1 fdff::1 fec0::1 fe80::1 fe80::1%eth0 fe80::1%25eth0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
    ::127.0.0.1 ::7f00:1 ::8.8.8.8 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::808:808 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1
    2001:0:808:808:8000:63bf:f7f7:f7f7 2001:0:4136:e378:8000:63bf:80ff:fffe
    fe80::5efe:127.0.0.1 2606:4700::5efe:a00:1 2606:4700::200:5efe:8.8.8.8`,
  never: `
    0.0.0.0 0.1.2.3 169.254.169.254 169.254.170.2 169.254.0.1 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1
    198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: fd00:ec2::254 fd20:ce::254 fd00:ec2::254%eth0 ff02::1 ff0e::1 100::1 2001:db8::1 3fff::1 4000::1 5f00::1
    ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::a9fe:a9fe ::ffff:0:169.254.169.254 ::ffff:168.63.129.16
    64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 64:ff9b::168.63.129.16 2002:a9fe:a9fe:: 2002:e000:1::
    2001:0:a9fe:a9fe:8000:63bf:f7f7:f7f7 2001:0:4136:e378:8000:63bf:5601:5601
    fe80::5efe:169.254.169.254 2001:4860::200:5efe:a9fe:a9fe`,
}

/** `[address, scope]`: IPv4, IPv6, mapped, NAT64, 6to4, Teredo, ISATAP, multicast, CGNAT, metadata, with and without zones. */
export const addressTable: readonly (readonly [address: string, scope: AddressScope])[] = (
  ['public', 'private', 'never'] as const
).flatMap((scope) =>
  byScope[scope]
    .trim()
    .split(/\s+/)
    .map((address) => [address, scope] as const),
)
