"""A file system in memory that forgets, when it is unmounted, everything that was not fsynced.

Usage: python3 forgetful-disk.py <mount point>
Prints "mounted" once it is mounted. Each unmount (fusermount -u) is a power loss: unsynced writes and
truncations are forgotten, one line says how much, and the disk is mounted again. Before an unmount
a line on standard input chooses what survives of the unsynced pages: "none" or "half" (at random).
The end of standard input unmounts it and ends the program.

What counts as synced follows ext4: fsync of a file makes its data and size durable, and with them every
creation, renaming and removal up to that moment, because the journal is committed in order. fsync of
a directory does the latter only. Locks and shared mappings are left to the kernel.
"""

import errno
import os
import random
import stat
import subprocess
import sys
import threading
import time

try:
    from fusepy import FUSE, FuseOSError, Operations
except ImportError:
    from fuse import FUSE, FuseOSError, Operations

PAGE = 4096


class Node:
    """A file, directory or symbolic link: what programs see, and what a power loss would leave."""

    def __init__(self, mode, uid=0, gid=0):
        now = time.time()
        self.attributes = {"st_mode": mode, "st_uid": uid, "st_gid": gid, "st_mtime": now, "st_ctime": now, "st_atime": now}
        self.target = None
        self.data = bytearray()
        self.durable = bytearray()
        self.unsynced_pages = set()
        self.truncated = False

    def write(self, data, offset):
        end = offset + len(data)
        if offset > len(self.data):
            self.data.extend(bytes(offset - len(self.data)))
        self.data[offset:end] = data
        self.unsynced_pages.update(range(offset // PAGE, (max(end, 1) - 1) // PAGE + 1))
        self.attributes["st_mtime"] = time.time()

    def truncate(self, length):
        if length < len(self.data):
            del self.data[length:]
        else:
            self.data.extend(bytes(length - len(self.data)))
        self.truncated = True

    def sync(self):
        size = len(self.data)
        if size < len(self.durable):
            del self.durable[size:]
        else:
            self.durable.extend(bytes(size - len(self.durable)))
        if self.truncated:
            self.durable[:] = self.data
        else:
            for page in self.unsynced_pages:
                start = page * PAGE
                self.durable[start : start + PAGE] = self.data[start : start + PAGE]
        self.unsynced_pages.clear()
        self.truncated = False

    def lose_power(self, survives):
        """Returns the number of forgotten pages."""
        unsynced = self.unsynced_pages
        left = bytearray(self.durable)
        forgotten = 0
        for page in sorted(unsynced):
            start = page * PAGE
            if start < len(self.data) and survives():
                if len(left) < start:
                    left.extend(bytes(start - len(left)))
                left[start : start + PAGE] = self.data[start : start + PAGE]
            else:
                forgotten += 1
        self.data = left
        self.durable = bytearray(left)
        self.unsynced_pages = set()
        self.truncated = False
        return forgotten


class ForgetfulDisk(Operations):
    use_ns = False

    def __init__(self):
        self.nodes = {"/": Node(stat.S_IFDIR | 0o777)}
        self.durable_nodes = dict(self.nodes)
        self.names_changed = False
        self.handles = {}
        self.next_handle = 1
        self.syncs = 0

    # Power loss

    def lose_power(self, survivors):
        """Forgets what was not synced and returns the number of forgotten pages and names."""
        names = set(self.nodes) ^ set(self.durable_nodes)
        self.nodes = dict(self.durable_nodes)
        self.names_changed = False
        self.handles = {}
        survives = (lambda: False) if survivors == "none" else (lambda: random.random() < 0.5)
        pages = sum(node.lose_power(survives) for node in set(self.nodes.values()))
        return pages, len(names)

    def _sync_names(self):
        if self.names_changed:
            self.durable_nodes = dict(self.nodes)
            self.names_changed = False

    def fsync(self, path, datasync, handle):
        self.syncs += 1
        self._of(path, handle).sync()
        self._sync_names()
        return 0

    def fsyncdir(self, path, datasync, handle):
        self.syncs += 1
        self._sync_names()
        return 0

    def flush(self, path, handle):
        return 0

    # Names

    def _of(self, path, handle=None):
        node = self.handles.get(handle) if handle else None
        node = node or self.nodes.get(path)
        if node is None:
            raise FuseOSError(errno.ENOENT)
        return node

    def _add(self, path, node):
        self.nodes[path] = node
        self.names_changed = True

    def _remove(self, path):
        self._of(path)
        del self.nodes[path]
        self.names_changed = True
        return 0

    def _below(self, path):
        prefix = path.rstrip("/") + "/"
        return [name for name in self.nodes if name.startswith(prefix) and name != "/"]

    def getattr(self, path, handle=None):
        node = self._of(path, handle)
        is_folder = stat.S_ISDIR(node.attributes["st_mode"])
        size = len(node.target) if node.target is not None else len(node.data)
        links = 2 if is_folder else 1
        return {**node.attributes, "st_size": size, "st_nlink": links, "st_blocks": (size + 511) // 512, "st_blksize": PAGE}

    def readdir(self, path, handle):
        prefix = path.rstrip("/") + "/"
        names = [name[len(prefix) :] for name in self._below(path)]
        return [".", "..", *(name for name in names if "/" not in name)]

    def mkdir(self, path, mode):
        self._add(path, Node(stat.S_IFDIR | mode, *self._caller()))
        return 0

    def rmdir(self, path):
        if self._below(path):
            raise FuseOSError(errno.ENOTEMPTY)
        return self._remove(path)

    def unlink(self, path):
        return self._remove(path)

    def rename(self, old, new):
        node = self._of(old)
        for name in self._below(old):
            self.nodes[new + name[len(old) :]] = self.nodes.pop(name)
        del self.nodes[old]
        self._add(new, node)
        return 0

    def link(self, target, source):
        self._add(target, self._of(source))
        return 0

    def symlink(self, target, source):
        node = Node(stat.S_IFLNK | 0o777, *self._caller())
        node.target = source
        self._add(target, node)
        return 0

    def readlink(self, path):
        return self._of(path).target

    def _caller(self):
        from_context = sys.modules[FUSE.__module__].fuse_get_context
        uid, gid, _ = from_context()
        return uid, gid

    # Attributes

    def chmod(self, path, mode):
        attributes = self._of(path).attributes
        attributes["st_mode"] = stat.S_IFMT(attributes["st_mode"]) | stat.S_IMODE(mode)
        return 0

    def chown(self, path, uid, gid):
        attributes = self._of(path).attributes
        if uid != -1 and uid != 0xFFFFFFFF:
            attributes["st_uid"] = uid
        if gid != -1 and gid != 0xFFFFFFFF:
            attributes["st_gid"] = gid
        return 0

    def utimens(self, path, times=None):
        accessed, modified = times or (time.time(), time.time())
        self._of(path).attributes.update(st_atime=accessed, st_mtime=modified)
        return 0

    def access(self, path, mode):
        self._of(path)
        return 0

    def statfs(self, path):
        blocks = 1 << 20
        return {"f_bsize": PAGE, "f_frsize": PAGE, "f_blocks": blocks, "f_bfree": blocks, "f_bavail": blocks, "f_namemax": 255}

    # Contents

    def _open_node(self, node):
        handle = self.next_handle
        self.next_handle += 1
        self.handles[handle] = node
        return handle

    def create(self, path, mode, info=None):
        node = Node(stat.S_IFREG | mode, *self._caller())
        self._add(path, node)
        return self._open_node(node)

    def open(self, path, flags):
        node = self._of(path)
        if flags & os.O_TRUNC:
            node.truncate(0)
        return self._open_node(node)

    def release(self, path, handle):
        self.handles.pop(handle, None)
        return 0

    def read(self, path, size, offset, handle):
        return bytes(self._of(path, handle).data[offset : offset + size])

    def write(self, path, data, offset, handle):
        self._of(path, handle).write(data, offset)
        return len(data)

    def truncate(self, path, length, handle=None):
        self._of(path, handle).truncate(length)
        return 0


def main():
    [mount_point] = sys.argv[1:]
    disk = ForgetfulDisk()
    state = {"survivors": "none", "ended": False}

    def read_commands():
        for line in sys.stdin:
            state["survivors"] = line.strip()
            print(f"survivors {state['survivors']}", flush=True)
        state["ended"] = True
        subprocess.run(["fusermount", "-u", "-z", mount_point], check=False)

    threading.Thread(target=read_commands, daemon=True).start()
    disk.init = lambda path: print("mounted", flush=True)
    while not state["ended"]:
        # No caching of names, attributes or pages by the kernel across a power loss.
        options = {"attr_timeout": 0, "entry_timeout": 0, "negative_timeout": 0, "hard_remove": True}
        FUSE(disk, mount_point, foreground=True, nothreads=True, allow_other=True, big_writes=True, **options)
        pages, names = disk.lose_power(state["survivors"])
        print(f"forgot {pages} pages and {names} names after {disk.syncs} syncs", flush=True)
        disk.syncs = 0


main()
