import { BlockList, isIP } from 'node:net';
import type { Proxy } from './http/route.ts';
import { Secret } from './secret.ts';
import { SettingsError } from './settings-error.ts';

/** The usual variables for a proxy. The first one that is set counts; the names in lower case are the older ones. */
const VARIABLES = {
  'https:': ['https_proxy', 'HTTPS_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
} as const;

/**
 * The proxy for requests to a target. Undefined for a target on this machine, and for one that `NO_PROXY` names.
 *
 * @param valueOf returns the value of an environment variable.
 * @throws SettingsError if the variable does not hold the address of a proxy.
 */
export function proxyFor(target: URL, valueOf: (name: string) => string | undefined): Proxy | undefined {
  const variable = VARIABLES[target.protocol as keyof typeof VARIABLES].find((name) =>
    isGiven(valueOf(name)),
  );
  if (variable === undefined || isLocal(target.hostname)) return undefined;
  if (isExempt(target, valueOf('no_proxy') ?? valueOf('NO_PROXY') ?? '')) return undefined;
  return read(variable, valueOf(variable)?.trim() ?? '');
}

const isGiven = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(bare(hostname));

function read(variable: string, text: string): Proxy {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  // The value may hold a password, so no message shows it.
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SettingsError(
      `${variable} is expected to be the address of an HTTP proxy, such as http://proxy.example.com:3128; correct it, or name the target in NO_PROXY.`,
    );
  const { origin, username, password } = url;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    variable,
    ...(username === ''
      ? {}
      : {
          authorization: new Secret(
            `Basic ${Buffer.from(credentials).toString('base64')}`,
            '$PROXY_AUTHORIZATION',
          ),
        }),
  };
}

/** Whether `NO_PROXY` names the target: by host name, a parent domain, an address, a network, or `*`; each may have a port. */
function isExempt({ hostname, port, protocol }: URL, exemptions: string): boolean {
  const host = bare(hostname);
  const portOfTarget = port || (protocol === 'https:' ? '443' : '80');
  return exemptions.split(/[,\s]+/).some((entry) => {
    const [, name = entry, onlyPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== portOfTarget) return false;
    const domain = bare(name).replace(/^\*?\./, '');
    return (
      domain === '*' ||
      (domain !== '' && (host === domain || host.endsWith(`.${domain}`))) ||
      isInNetwork(host, domain)
    );
  });
}

function isInNetwork(host: string, network: string): boolean {
  const [, start = '', length = ''] = /^(.+)\/(\d{1,3})$/.exec(network) ?? [];
  const version = isIP(host);
  if (version === 0 || isIP(start) !== version || Number(length) > (version === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const family = version === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(start, Number(length), family);
  return list.check(host, family);
}
