/** For tests: servers that answer reads as deployed products do, by field notes. */
import type { TestContext } from 'node:test';
import { tcpServer } from '../../engine/targets/test-servers.ts';

interface Read {
  readonly path: string;
  readonly query: URLSearchParams;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

interface Answer {
  readonly status: number;
  /** In the order sent. */
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
}

interface Product {
  readonly answer: (read: Read) => Answer;
  /** Whether it closes each connection after its answer. */
  readonly closes?: boolean;
  /** Bytes after each body beyond Content-Length. */
  readonly surplus?: string;
}

export type ProductName = keyof typeof products;

/** The URL of a stand-in, and the received request lines. */
export async function productServer(t: TestContext, name: ProductName): Promise<{ url: string; log: string[] }> {
  const product: Product = products[name];
  const log: string[] = [];
  const url = await tcpServer(t, (socket) => {
    socket.on('data', (bytes) => {
      const [first = '', ...lines] = bytes.toString('latin1').split('\r\n');
      log.push(first);
      socket.write(written(product, product.answer(readOf(first, lines))));
      if (product.closes) socket.end();
    });
  });
  return { url, log };
}

function readOf(first: string, lines: readonly string[]): Read {
  const { pathname, searchParams } = new URL(first.split(' ')[1] ?? '/', 'http://product');
  const headers = lines.flatMap((line): Array<[string, string]> => {
    const [name = '', ...value] = line.split(':');
    return value.length === 0 ? [] : [[name.toLowerCase(), value.join(':').trim()]];
  });
  return { path: pathname, query: searchParams, headers: new Map(headers) };
}

function written({ surplus = '', closes }: Product, { status, headers, body = '' }: Answer): string {
  const all = [
    ...headers,
    ['Content-Length', String(Buffer.byteLength(body))],
    ...(closes ? [['Connection', 'close']] : []),
  ];
  return `HTTP/1.1 ${status} X\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}${surplus}`;
}

const dbg = '{"m2m:dbg":"no"}';

/** Demands originator, identifier and release; only its administrator reads the base (acme.md, 1). */
const acme: Product = {
  closes: true,
  answer: ({ path, query, headers }) => {
    const say = (status: number, rsc: number, body: string, type = 'application/json'): Answer => ({
      status,
      headers: [
        ['Server', 'Werkzeug/2.2.2 Python/3.11.2'],
        ['Date', new Date().toUTCString()],
        ['Server', 'ACME/2026.05.1'],
        ['X-M2M-RSC', String(rsc)],
        ['X-M2M-RI', headers.get('x-m2m-ri') ?? 'None'],
        ['X-M2M-RVI', headers.get('x-m2m-rvi') ?? 'None'],
        ['Content-Type', type],
      ],
      body,
    });
    if (!headers.has('x-m2m-ri') || !headers.has('x-m2m-origin')) return say(400, 4000, dbg);
    if (!['2a', '3', '4', '5'].includes(headers.get('x-m2m-rvi') ?? '')) return say(400, 4000, dbg);
    const own = ['/cse-in', '/id-in', '/-', '/~/id-in/cse-in', '/_/acme.example.com/id-in/cse-in'];
    if (!own.includes(path)) return say(404, 4004, dbg);
    if (headers.get('x-m2m-origin') !== 'CAdmin') return say(403, 4103, dbg);
    if (query.get('fu') === '1') return say(200, 2000, '{"m2m:uril": ["cse-in/myAE"]}');
    if (query.get('fu') === '2') return say(404, 4004, dbg);
    if (query.get('rcn') === '6') return say(200, 2000, '{"m2m:rrl": {"rrf": []}}');
    if (query.get('atrl') === 'rn') return say(200, 2000, '{"m2m:cb": {"rn": "cse-in"}}');
    return say(
      200,
      2000,
      '{"m2m:cb": {"ri": "id-in", "rn": "cse-in", "csi": "/id-in", "spi": "//acme.example.com", "cst": 1, "srt": [1, 2, 3, 4, 5, 9, 13, 14, 15, 16, 17, 18, 23, 28, 29, 30, 10001], "srv": ["2a", "3", "4", "5"], "pi": "", "ty": 5, "ct": "20261120T223122,136837", "lt": "20261120T223122,136837"}}',
    );
  },
};

/** Closes each connection, counts two bytes too few, writes 5.0, takes no request without release (tinyiot-mobius.md, 2). */
const tinyIoT: Product = {
  closes: true,
  surplus: '\r\n',
  answer: ({ path, query, headers }) => {
    const say = (status: number, rsc: number, body: string): Answer => ({
      status,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-M2M-RSC', String(rsc)],
        ['X-M2M-RI', headers.get('x-m2m-ri') ?? ''],
        ['X-M2M-RVI', headers.get('x-m2m-rvi') ?? ''],
        ['Access-Control-Allow-Origin', '*'],
      ],
      body,
    });
    if (!headers.has('x-m2m-rvi') || !headers.has('x-m2m-origin')) return say(400, 4000, dbg);
    if (!['/TinyIoT', '/-', '/tinyiot', '/~/tinyiot/TinyIoT'].includes(path)) return say(404, 4004, dbg);
    if (query.get('fu') === '1') return say(200, 2000, '{"m2m:uril":[]}');
    if (query.get('rcn') === '6') return say(200, 2000, '{"m2m:rrl":{"rrf":[]}}');
    return say(
      200,
      2000,
      '{"m2m:cb":{"ty":5.0,"ri":"tinyiot","rn":"TinyIoT","pi":"","ct":"20261120T223217,457","lt":"20261120T223217,457","csi":"/tinyiot","cst":1.0,"spi":"//tinyiot.example.com","srt":[1.0,2.0,3.0,4.0,5.0,9.0,23.0],"srv":["2a","3"]}}',
    );
  },
};

/** As shipped, its CSE base names no service provider. */
const tinyIoTWithoutSp: Product = {
  ...tinyIoT,
  answer: (read) => {
    const { body, ...answer } = tinyIoT.answer(read);
    return { ...answer, ...(body !== undefined && { body: body.replace('"spi":"//tinyiot.example.com",', '') }) };
  },
};

/** No shortcut, any release is echoed, rcn 6 is ignored in discovery and other labels are never found (tinyiot-mobius.md, 2). */
const mobius: Product = {
  answer: ({ path, query, headers }) => {
    const say = (status: number, rsc: number, body: string): Answer => ({
      status,
      headers: [
        ['X-M2M-RSC', String(rsc)],
        ['X-M2M-RI', headers.get('x-m2m-ri') ?? ''],
        ['X-M2M-RVI', headers.get('x-m2m-rvi') ?? '2a'],
        ['Content-Type', 'application/json'],
        ['Date', new Date().toUTCString()],
        ['Connection', 'keep-alive'],
      ],
      body,
    });
    if (!headers.has('x-m2m-ri') || !headers.has('x-m2m-origin')) return say(400, 4000, dbg);
    if (!['/Mobius', '/~/Mobius2/Mobius', '/_/keti.re.kr/Mobius2/Mobius'].includes(path)) return say(404, 4004, dbg);
    if (query.get('fu') === '1') return say(200, 2000, '{"m2m:uril":[]}');
    if (query.get('rcn') === '6') return say(400, 4000, dbg);
    return say(
      200,
      2000,
      '{"m2m:cb":{"pi":null,"ty":5,"ri":"3-20261120223232881784","rn":"Mobius","ct":"20261120T223232","lt":"20261120T223232","csi":"/Mobius2","spi":"//keti.re.kr","cst":1,"srt":[1,2,3,4,5,9,13,14,16,23,24],"srv":["1","2","2a"]}}',
    );
  },
};

const openMtcBase =
  '{"m2m:cb":{"csi":"/mn-cse-1","acpi":[],"ct":"20261120T222559","cst":2,"lbl":[],"lt":"20261120T222559","nl":null,"pi":null,"poa":["http://127.0.0.1:8000"],"ri":"cb0","rn":"onem2m","ty":5,"srt":[5,16,2,23,4,3,1,24]}}';

/** Demands nothing, writes null for what is not set, answers errors with nothing, knows no shortcut (openmtc.md, 0 and 1). */
const openMtc: Product = {
  answer: ({ path, query, headers }) => {
    const say = (status: number, rsc: number, type: string, more: Answer['headers'] = []): Answer => ({
      status,
      headers: [
        ['x-m2m-ri', headers.get('x-m2m-ri') ?? 'YLkdPWUEancgJDjs'],
        ['x-m2m-rsc', String(rsc)],
        ['x-m2m-rvi', headers.get('x-m2m-rvi') ?? 'None'],
        ...more,
        ['Content-Type', `${type}; charset=utf-8`],
        ['Date', new Date().toUTCString()],
      ],
    });
    const own = ['/onem2m', '/cb0', '/~/mn-cse-1/onem2m', '/_/openmtc.org/mn-cse-1/onem2m'];
    if (!own.includes(path))
      return path.startsWith('/_/') ? say(501, 5001, 'text/plain') : say(404, 4004, 'text/plain');
    const found = say(200, 2000, 'application/json', [['Content-Location', 'cb0']]);
    return { ...found, body: query.get('fu') === '1' ? '{"m2m:uril":["onem2m"]}' : openMtcBase };
  },
};

const products = { acme, tinyIoT, tinyIoTWithoutSp, mobius, openMtc } as const;
