// Runs what a test asks inside the extension host: one JSON request {script, values} a line of the test's socket.
const net = require('node:net');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

const AsyncFunction = (async () => undefined).constructor;

async function answer(text) {
  try {
    const { script, values } = JSON.parse(text);
    const extension = vscode.extensions.getExtension('escapelens.escapelens');
    const inside = extension?.isActive ? extension.exports : undefined;
    const run = new AsyncFunction('vscode', 'inside', 'values', script);
    return { result: (await run(vscode, inside, values)) ?? null };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

exports.activate = () => {
  const socket = net.connect(process.env.ESCAPELENS_PROBE);
  createInterface({ input: socket }).on('line', async (line) => socket.write(`${JSON.stringify(await answer(line))}\n`));
  socket.on('error', () => undefined);
};
